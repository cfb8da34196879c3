"""How the charts of the notebooks look: one typeface size, quiet axes, colours that the colour-blind can tell apart."""

import altair as alt

# Okabe and Ito, "Color Universal Design" (2008).
BLUE, ORANGE, GREEN, RED, SKY, PINK = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7"
INK, GREY, PALE = "#222222", "#6b6b6b", "#dddddd"

# A man of chess for a map of pawns: head, collar and skirt in the square from -1 to 1.
PAWN = (
    "M0,-0.95 A0.33,0.33 0 0 1 0.2,-0.36 L0.34,-0.26 L0.15,-0.18 Q0.2,0.35 0.52,0.6 L0.62,0.92 "
    "L-0.62,0.92 L-0.52,0.6 Q-0.2,0.35 -0.15,-0.18 L-0.34,-0.26 L-0.2,-0.36 A0.33,0.33 0 0 1 0,-0.95 Z"
)


@alt.theme.register("drawish", enable=True)
def _drawish():
    # The background is opaque, so that a notebook in dark mode shows the same chart as one in light mode.
    return alt.theme.ThemeConfig(
        {
            "config": {
                "aria": False,
                "background": "#ffffff",
                "padding": 12,
                "font": "Helvetica, Arial, sans-serif",
                "view": {"stroke": None},
                "title": {"anchor": "start", "fontSize": 15, "subtitleFontSize": 12, "color": INK, "subtitleColor": GREY, "offset": 12},
                "axis": {
                    "labelFontSize": 11, "titleFontSize": 12, "labelColor": INK, "titleColor": INK, "titleFontWeight": "normal",
                    "domainColor": GREY, "tickColor": GREY, "gridColor": "#ececec",
                },
                "legend": {"labelFontSize": 11, "titleFontSize": 12, "labelColor": INK, "titleColor": INK, "titleFontWeight": "normal"},
                "header": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK, "titleColor": INK},
                "range": {"category": [BLUE, ORANGE, GREEN, RED, SKY, PINK]},
                "mark": {"color": BLUE},
                "text": {"color": INK, "fontSize": 11},
            }
        }
    )


alt.renderers.enable("svg")
alt.data_transformers.disable_max_rows()


def title(finding, *lines):
    """A title that says what was found, and below it what is drawn."""
    return alt.Title(finding, subtitle=list(lines))
