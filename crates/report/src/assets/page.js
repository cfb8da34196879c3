// What is clicked on every page: the theme, and choices between sources. Figures and explorers hear of both by events.
"use strict";
{
  const themes = [["", "as the system"], ["light", "light"], ["dark", "dark"]];
  const button = document.getElementById("theme");
  let at = 0;
  button.hidden = false;
  button.addEventListener("click", () => {
    at = (at + 1) % themes.length;
    const [name, words] = themes[at];
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    button.textContent = "Theme: " + words;
  });

  const choices = [...document.querySelectorAll(".choice")];
  const show = (choice, place) => {
    [...choice.children].filter((child) => child.matches(".option")).forEach((option, number) => {
      option.hidden = number !== place;
    });
    choice.querySelector(":scope > .pick select").value = String(place);
    choice.dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
  };
  for (const choice of choices) {
    const pick = choice.querySelector(":scope > .pick");
    const select = pick.querySelector("select");
    pick.hidden = false;
    choice.classList.add("chosen");
    select.addEventListener("change", () => {
      const name = select.selectedOptions[0].textContent;
      for (const other of choices) {
        if (other.dataset.group !== choice.dataset.group) continue;
        const options = [...other.querySelector(":scope > .pick select").options];
        const place = options.findIndex((option) => option.textContent === name);
        if (place >= 0) show(other, place);
      }
    });
    show(choice, 0);
  }
}
