"""`conspirator completion`: the script that teaches a shell our words."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from conspirator.cli.request import examples


@click.command(
    short_help="Print the completion script of a shell.", epilog=examples("conspirator completion bash")
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell; games and searches complete by name.

    \b
    To use it, add one line to the shell's start file:
      ~/.bashrc                                     eval "$(conspirator completion bash)"
      ~/.zshrc                                      eval "$(conspirator completion zsh)"
      ~/.config/fish/completions/conspirator.fish   conspirator completion fish | source
    """
    maker = get_completion_class(shell)
    assert maker is not None
    app = context.find_root().command
    click.echo(maker(app, {}, "conspirator", "_CONSPIRATOR_COMPLETE").source())
