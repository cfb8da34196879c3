"""Every example in a docstring is run, with what it shows as its answer."""

import doctest
import inspect

import drawish
import drawish._drawish
from conftest import HEADS, SAMPLE

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def documented():
    """All that has a docstring: the modules, their functions and classes, and what these have."""
    for module in (drawish, drawish.wdl):
        yield module.__name__, module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing) or isinstance(thing, str):
                continue
            yield f"{module.__name__}.{name}", thing.__doc__
            for own, member in vars(thing).items() if inspect.isclass(thing) else ():
                if not own.startswith("_"):
                    yield f"{module.__name__}.{name}.{own}", getattr(member, "__doc__", None)


def test_everything_has_a_docstring():
    assert [name for name, text in documented() if not text and not name.endswith("__doc__")] == []


def test_examples(tmp_path):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    for name, text in documented():
        names = {"drawish": drawish, "sample": SAMPLE, "heads_file": HEADS, "directory": tmp_path}
        runner.run(parser.get_doctest(text or "", names, name, None, 0), out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
    assert runner.summarize(verbose=False).attempted >= 10
