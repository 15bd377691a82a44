"""Bots of OpenSpiel as players of a match."""

from __future__ import annotations

import pytest

import conspirator as cn

pytest.importorskip("pyspiel")


def test_bots_play() -> None:
    game = cn.games.from_open_spiel("breakthrough(rows=5,columns=5)")
    players = [
        "M=open-spiel:simulations=50,command=mcts",
        "R=open-spiel:uniform_random",
        "B=best-first:nodes=50",
    ]
    result = cn.match(players, game, plies=1, games=4)
    scores = dict.fromkeys("MRB", 0.0)
    for record in result.records:
        scores[result.names[record.max_player]] += record.points
        scores[result.names[record.min_player]] += 1 - record.points
        assert record.moves
    assert sum(scores.values()) == 12
    assert scores["M"] > scores["R"]


@pytest.mark.parametrize(
    ("player", "game", "message"),
    [
        ("open-spiel:mcts", "connect-four", "games of OpenSpiel only"),
        ("open-spiel:nobody", "open-spiel:breakthrough", "no bot 'nobody': there are mcts"),
        ("open-spiel:depth=3,command=mcts", "open-spiel:breakthrough", "has no setting 'depth'"),
    ],
)
def test_mistakes(player: str, game: str, message: str) -> None:
    made = (
        cn.games.from_open_spiel("breakthrough") if game.startswith("open-spiel") else cn.games.ConnectFour()
    )
    with pytest.raises(cn.ConspiratorError, match=message):
        cn.match([player, "best-first:nodes=9"], made, plies=1, games=2)
