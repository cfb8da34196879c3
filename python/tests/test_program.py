"""The command, the stubs, and what the wheel holds."""

import ast
import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import drawish


def test_the_command_is_the_program():
    command = shutil.which("drawish", path=str(Path(sys.executable).parent))
    assert command, "the wheel has installed no command"
    done = subprocess.run([command, "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.startswith(f"drawish {drawish.__version__} (git ")
    wrong = subprocess.run([command, "colect"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "'collect'" in wrong.stderr
    assert "Usage: drawish <COMMAND>" in wrong.stderr


def test_importing_asks_for_no_other_package():
    code = "import sys, drawish; print([name for name in ('numpy', 'polars', 'pyarrow') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_stubs_name_what_there_is():
    package = Path(drawish.__file__).parent
    assert (package / "py.typed").exists()
    for module, stub in [(drawish, "__init__.pyi"), (drawish.wdl, "wdl.pyi")]:
        tree = ast.parse((package / stub).read_text())
        stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                bases = [base.id for base in stubs[name].bases if isinstance(base, ast.Name) and base.id in stubs]
                nodes = [stubs[name], *(stubs[base] for base in bases)]
                named = {node.name for owner in nodes for node in owner.body if isinstance(node, ast.FunctionDef)}
                real = {own for own in vars(thing) if not own.startswith("_")}
                assert real <= named, f"{name}: not in the stub: {real - named}"
                if not bases and not issubclass(thing, Exception):
                    assert {own for own in named if not own.startswith("_")} <= real, name
            elif inspect.isroutine(thing):
                given = stubs[name].args
                listed = [argument.arg for argument in given.args + given.kwonlyargs]
                real = [p.name for p in inspect.signature(thing).parameters.values() if p.kind != p.VAR_KEYWORD]
                assert listed == real, name
                ends = given.args[len(given.args) - len(given.defaults) :] if given.defaults else []
                said = zip(ends + given.kwonlyargs, given.defaults + given.kw_defaults, strict=True)
                said = {argument.arg: ast.literal_eval(default) for argument, default in said if default}
                parameters = inspect.signature(thing).parameters.values()
                # Of what Python cannot write, such as an empty list of Rust, the signature has an ellipsis.
                defaults = {p.name: said.get(p.name) if p.default is ... else p.default for p in parameters if p.default is not p.empty}
                assert said == defaults, f"{name}: other defaults in the stub"
