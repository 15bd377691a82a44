"""A game of your own in one file. Try:

conspirator check examples/tic_tac_toe.py:TicTacToe
conspirator analyze examples/tic_tac_toe.py:TicTacToe
conspirator play examples/tic_tac_toe.py:TicTacToe
conspirator train examples/tic_tac_toe.py:TicTacToe --to tictactoe --minutes 3
"""

import conspirator as cn

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class TicTacToe(cn.Game):
    """Three in a row win. A state is a text of nine cells; X is Max and moves first."""

    value_range = (-1, 1)
    results = (-1, 0, 1)
    outputs = 9

    def start(self):
        return "." * 9

    def to_move(self, state):
        return "max" if state.count("X") == state.count("O") else "min"

    def moves(self, state):
        return [cell for cell in range(9) if state[cell] == "."]

    def play(self, state, move):
        player = "X" if self.to_move(state) == "max" else "O"
        return state[:move] + player + state[move + 1 :]

    def outcome(self, state):
        rows = ["".join(state[int(cell)] for cell in line) for line in LINES]
        if "XXX" in rows:
            return 1
        if "OOO" in rows:
            return -1
        return None if "." in state else 0

    def key(self, state):
        return state

    def show(self, state):
        return (
            "\n".join(f"{3 - row} {' '.join(state[3 * row : 3 * row + 3])}" for row in range(3)) + "\n  a b c"
        )

    def move_name(self, state, move):
        return "abc"[move % 3] + str(3 - move // 3)

    def parse_move(self, state, text):
        names = {self.move_name(state, move): move for move in self.moves(state)}
        return names.get(text.strip().lower())

    def encode(self, state):
        own, other = "XO" if self.to_move(state) == "max" else "OX"
        planes = [[cell == player for cell in state] for player in (own, other)]
        return [[row[0:3], row[3:6], row[6:9]] for row in planes]

    def output(self, state, move):
        return move
