"""The job tree: who wins is what brute force says, with any number of workers, who may die."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

import conspirator as cn
from conspirator import _native
from conspirator.jobs import Driver, Job, JobGoal, JobTree, Move, Order, Prover, here, plant
from conspirator.jobs.clock import Proves, Times, forecast
from conspirator.jobs.driver import LOSSES
from conspirator.jobs.file import JobFile
from conspirator.jobs.solve import facts_of

Tree = Any
"""Who wins, or the moves: a list of trees."""

# A tree for Max, and what one worker is given, in order; a leaf says who wins. Equal numbers: the first.
CASES: list[tuple[str, Tree, list[tuple[int, ...]], bool]] = [
    ("a job that is solved at once", True, [()], True),
    ("one good move is enough", [False, True, True], [(), (0,), (1,)], True),
    (
        "a refutation of each move",
        [[True, False], [False, True]],
        [(), (0,), (1,), (0, 0), (0, 1), (1, 0)],
        False,
    ),
]


def place_of(tree: Tree, path: tuple[int, ...]) -> Tree:
    for place in path:
        tree = tree[place]
    return tree


def who_wins(tree: Tree, max_to_move: bool = True) -> bool:
    if isinstance(tree, bool):
        return tree
    results = [who_wins(child, not max_to_move) for child in tree]
    return any(results) if max_to_move else all(results)


def answer(jobs: JobTree, tree: Tree, job: Job) -> None:
    """Answer as a worker whose budget is enough for finished games only."""
    found = place_of(tree, job.path)
    if isinstance(found, bool):
        jobs.solved(job, found, 1)
        return
    max_to_move = len(job.path) % 2 == 1
    jobs.unsolved(job, [Move(at, (*job.path, at), max_to_move, 1, 1) for at in range(len(found))], 1)


@pytest.mark.parametrize(("what", "tree", "paths", "won"), CASES, ids=[case[0] for case in CASES])
def test_one_worker(what: str, tree: Tree, paths: list[tuple[int, ...]], won: bool) -> None:
    jobs, given = JobTree((), max_to_move=True), []
    while (job := jobs.next()) is not None:
        given.append(job.path)
        answer(jobs, tree, job)
    assert (given, jobs.won) == (paths, won), what


def test_those_who_are_out_count_as_done() -> None:
    """The second worker does what is left if the first succeeds; the third, what may still be of use."""
    jobs = JobTree((), max_to_move=False)
    first = jobs.next()
    assert first is not None
    assert jobs.next() is None  # the root is all there is
    jobs.unsolved(first, [Move(0, "a", True, 1, 5), Move(1, "b", True, 1, 1), Move(2, "c", True, 9, 1)], 1)
    assert [job.name for job in (jobs.next(), jobs.next(), jobs.next()) if job] == ["b", "c", "a"]
    assert jobs.next() is None


def test_a_job_whose_worker_died_is_given_out_again() -> None:
    jobs = JobTree((), max_to_move=True)
    first = jobs.next()
    assert first is not None
    jobs.lost(first)
    again = jobs.next()
    assert again is not None
    assert (again.path, again.number, jobs.lost_jobs) == ((), 2, 1)


def test_an_answer_that_comes_late_does_no_harm() -> None:
    jobs = JobTree((), max_to_move=True)
    root = jobs.next()
    assert root is not None
    jobs.unsolved(root, [Move(0, "a", False, 1, 1), Move(1, "b", False, 1, 1)], 1)
    one, other = jobs.next(), jobs.next()
    assert one is not None
    assert other is not None
    jobs.solved(one, True, 1)
    assert jobs.won is True
    jobs.unsolved(other, [Move(0, "c", True, 1, 1)], 1)
    assert (jobs.won, jobs.next(), jobs.standing()) == (True, None, (0.0, math.inf, 1, 2))


def random_tree(rng: random.Random, depth: int) -> Tree:
    if depth == 0 or rng.random() < 0.15:
        return rng.random() < 0.5
    return [random_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]


def check(jobs: JobTree) -> None:
    """Compute all numbers again from the leaves, children before parents."""
    for node in reversed(jobs.nodes.values()):
        if node.moves is not None and 0 not in node.numbers:
            assert node.numbers == jobs._combined(node, "numbers")
            assert node.virtual == jobs._combined(node, "virtual")
        elif not node.out:
            assert node.virtual == node.numbers


@pytest.mark.parametrize("seed", range(60))
def test_any_number_of_workers_who_may_die(seed: int) -> None:
    """Answers come in any order; between two of them, the tree may go through a file."""
    rng = random.Random(seed)
    tree = random_tree(rng, 6)
    focus = rng.choice([1.0, 0.5, 0.25])
    jobs, hands = JobTree((), max_to_move=True, focus=focus), rng.choice([1, 2, 5, 50])
    out: list[Job] = []
    while jobs.won is None:
        while len(out) < hands and (job := jobs.next()) is not None:
            assert job.path not in [other.path for other in out]
            out.append(job)
        assert out
        job = out.pop(rng.randrange(len(out)))
        if rng.random() < 0.1:
            jobs.lost(job)
        else:
            answer(jobs, tree, job)
        check(jobs)
        if rng.random() < 0.05:
            jobs, out = JobTree.from_data(jobs.as_data()), []
            check(jobs)
    assert jobs.won == who_wins(tree)


@pytest.mark.parametrize("seed", range(20))
def test_positions_that_two_lines_share(seed: int) -> None:
    """A graph: after so many moves there are only a few different positions."""
    rng = random.Random(seed)
    width, depth = 5, 7
    below = {
        (ply, at): sorted(rng.sample(range(width), rng.randint(1, 3)))
        for ply in range(depth)
        for at in range(width)
    }
    last = [rng.random() < 0.5 for _ in range(width)]

    def value(ply: int, at: int) -> bool:
        if ply == depth:
            return last[at]
        results = [value(ply + 1, to) for to in below[ply, at]]
        return any(results) if ply % 2 == 0 else all(results)

    jobs, out = JobTree((0, 0), max_to_move=True), list[Job]()
    while jobs.won is None:
        while len(out) < 3 and (job := jobs.next()) is not None:
            out.append(job)
        job = out.pop(rng.randrange(len(out)))
        ply, at = cast(tuple[int, int], job.name)
        if ply == depth:
            jobs.solved(job, last[at], 1)
        else:
            moves = [Move(to, (ply + 1, to), ply % 2 == 1, 1, 1) for to in below[ply, at]]
            jobs.unsolved(job, moves, 1)
    assert jobs.won == value(0, 0)
    assert len(jobs.nodes) <= width * (depth + 1)


# Workers in this process

GOALS = [
    JobGoal("hex", {"size": 6}, "a3", 0.0, {}, "knowledge"),
    JobGoal("hex", {"size": 4}, "", 0.0),
    JobGoal("connect-four", {}, "373377623543114527", 513.0, {"foresight": True}),
    JobGoal("connect-four", {}, "26111474265245", 512.0, {"foresight": True}),
    JobGoal("othello", {}, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX-O-OOOOX-OOOO--XXXOO---- X", 1.0),
    JobGoal("amazons", {"size": 4}, "1bb1/b2b/w2w/1ww1 w", 0.5, {"foresight": True}),
    JobGoal("chess", {}, "8/2P1P1P1/3PkP2/8/4K3/8/8/8 w - - 0 1", 20000.0),
    JobGoal("random-tree", {"branching": 4, "depth": 6, "seed": 3}, "", 10.0),
]


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: f"{goal.game} {goal.root}"[:30])
@pytest.mark.parametrize("hands", [1, 3])
def test_the_same_answer_as_one_search(goal: JobGoal, hands: int) -> None:
    rng = random.Random(1)
    whole = cn.search(
        goal.position(),
        "df-pn",
        evaluator=goal.evaluator,
        goal=goal.goal,
        expansions=10**7,
        **goal.parameters,
    )
    assert whole.won is not None
    job = max(whole.expansions // 10, 5)
    driver = Driver(plant(goal), here(goal, hands, dies=lambda order: rng.random() < 0.05), job=job)
    driver.run()
    assert driver.tree.won == whole.won


def test_workers_get_what_others_have_found() -> None:
    """With the facts of others, there is less to do."""
    goal = GOALS[2]
    together = Driver(plant(goal), here(goal, 4), job=5000)
    together.run()
    apart = Driver(plant(goal), here(goal, 4), job=5000)
    apart.learn = lambda facts: None  # type: ignore[method-assign]
    apart.run()
    assert together.tree.won == apart.tree.won
    assert together.expansions < apart.expansions
    assert together.sent > 0


def test_the_answer_is_shown_again_from_the_facts_of_the_tree() -> None:
    goal = GOALS[0]
    driver = Driver(plant(goal), here(goal, 2), job=500)
    driver.run()
    core = _native.Search(goal.position(), "df-pn", {"goal": 0.0}, goal.evaluator, False)
    core.learn(facts_of(driver.tree, driver.packed))
    core.run({"expansions": 10**6})
    report = core.report()
    assert report["won"] == driver.tree.won
    assert report["expansions"] < driver.expansions / 4


def test_a_budget_ends_it_inside_the_budget() -> None:
    goal = GOALS[0]
    driver = Driver(plant(goal), here(goal, 2), job=300)
    driver.run(most=1000)
    assert driver.tree.won is None
    assert 700 < driver.expansions <= 1000
    driver.run(lambda: False)
    assert driver.expansions <= 1000


def test_jobs_grow_until_they_take_long_enough() -> None:
    goal = GOALS[2]
    driver = Driver(plant(goal), here(goal))
    sizes = list[int]()

    def note() -> bool:
        sizes.append(driver.size)
        return True

    driver.run(note)
    assert sizes[0] < sizes[-1]
    assert all(later <= 4 * before for before, later in pairwise(sizes))


def test_a_job_that_kills_its_workers() -> None:
    goal = GOALS[0]
    driver = Driver(plant(goal), here(goal, 2, dies=lambda order: True), job=300)
    with pytest.raises(cn.ConspiratorError, match=f"{LOSSES} workers have died .* lower table_bytes"):
        driver.run()


# The file


def test_a_tree_in_a_file_goes_on(tmp_path: Path) -> None:
    goal, path = GOALS[0], tmp_path / "hex.jobs"
    whole = Driver(plant(goal), here(goal, 2), job=300)
    whole.run()
    begun = Driver(plant(goal), here(goal, 2), job=300)
    begun.run(most=whole.expansions / 2)
    JobFile(path, goal).keep(begun, 0.0, now=True)
    rest = Driver(plant(goal), here(goal, 2), job=300)
    JobFile(path, goal).fill(rest, 0.0)
    assert rest.tree.as_data() == begun.tree.as_data()
    assert rest.tree.standing() == begun.tree.standing()
    rest.run()
    assert rest.tree.won == whole.tree.won
    assert rest.expansions < whole.expansions
    assert [file.name for file in tmp_path.iterdir()] == ["hex.jobs"]


MISTAKES = [
    (lambda path: path.write_bytes(b"something else"), GOALS[0], "no tree of jobs, or it is damaged"),
    (lambda path: path.write_bytes(path.read_bytes()[:-1]), GOALS[0], "no tree of jobs, or it is damaged"),
    (lambda path: None, GOALS[1], "jobs of another options"),
    (lambda path: None, JobGoal("hex", {"size": 6}, "a2", 0.0, {}, "knowledge"), "jobs of another position"),
]


@pytest.mark.parametrize(("damage", "goal", "words"), MISTAKES)
def test_another_file_is_refused(damage: Any, goal: JobGoal, words: str, tmp_path: Path) -> None:
    path = tmp_path / "hex.jobs"
    JobFile(path, GOALS[0]).keep(Driver(plant(GOALS[0])), 0.0, now=True)
    damage(path)
    with pytest.raises(cn.ArgumentError, match=words):
        JobFile(path, goal)


# cn.solve on a pool in this process, in the place of a cluster


class Pretended(here):
    """A cluster that is not there."""

    stop_after = 10**9
    begun = 0

    def __init__(self, goal: JobGoal, on: str, concurrency: int | None) -> None:
        super().__init__(goal, concurrency or 2)
        type(self).begun += 1

    def wait(self, _: float) -> list[tuple[Order, Any]]:
        if type(self).stop_after == 0:
            raise KeyboardInterrupt
        type(self).stop_after -= 1
        return super().wait(_)

    def leave(self) -> None:
        type(self).begun -= 1


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> type[Pretended]:
    from conspirator.jobs import driver, solve

    class Fresh(Pretended):
        pass

    monkeypatch.setattr(solve, "RayProvers", Fresh)
    monkeypatch.setattr(driver, "FIRST_JOB", 200)
    monkeypatch.setattr(driver, "SECONDS", 0.01)
    return Fresh


POSITIONS = [
    cn.games.Hex(size=5).position("b2"),
    cn.games.ConnectFour().position("5441565551"),
    cn.games.ConnectFour().position(".O...../.X...../OO....O/XXXO..X/OOOXX.O/XXXOX.O X"),
    cn.games.Othello().position("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX-O-OOOOX-OOOO--XXXOO---- X"),
    cn.games.Amazons(size=4).position("1bb1/b2b/w2w/1ww1 w"),
    cn.games.RandomTree(branching=4, depth=6, seed=3).start(),
]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.game.name)
def test_solve(position: cn.Position, cluster: type[Pretended]) -> None:
    alone, together = cn.solve(position), cn.solve(position, on="ray")
    assert (together.outcome, together.value, together.status) == (alone.outcome, alone.value, "proven")
    assert together.line


def test_the_proof_of_a_cluster_is_checked(cluster: type[Pretended], tmp_path: Path) -> None:
    solution = cn.solve(POSITIONS[0], on="ray", concurrency=3)
    assert cn.verify(solution.proof.save(tmp_path / "hex.proof")).at_least == solution.value


def test_ctrl_c_gives_the_answer_so_far(cluster: type[Pretended], tmp_path: Path) -> None:
    position, path = cn.games.Hex(size=6).position("a3"), tmp_path / "hex.jobs"
    seen: list[dict[str, Any]] = []
    cluster.stop_after = 8
    begun = cn.solve(position, on="ray", table=path, progress=seen.append)
    assert (begun.status, begun.outcome, begun.move in position.moves()) == ("interrupted", None, True)
    assert begun.expansions > 0
    proof, disproof, settled, moves = seen[-1]["standing"]
    assert proof > 0
    assert disproof > 0
    assert 0 <= settled < moves
    done, out, hands = seen[-1]["jobs"]
    assert (done > 0, out <= hands, hands) == (True, True, 2)
    cluster.stop_after = 10**9
    rest = cn.solve(position, on="ray", table=path)
    assert (rest.status, rest.outcome) == ("proven", "loss")
    again = cn.solve(position, on="ray", table=path)
    assert again.outcome == "loss"
    assert again.expansions == 0 or again.expansions < rest.expansions / 4
    assert cluster.begun == 0


def test_progress_can_stop_it(cluster: type[Pretended]) -> None:
    stopped = cn.solve(cn.games.Hex(size=6).position("a3"), on="ray", progress=lambda facts: False)
    assert stopped.status == "interrupted"


@pytest.mark.parametrize("budget", [{"expansions": 1500}, {"nodes": 1500}, {"seconds": 0.05}])
def test_budgets(budget: dict[str, Any], cluster: type[Pretended]) -> None:
    spent = cn.solve(cn.games.Hex(size=7).position("a4"), on="ray", **budget)
    assert (spent.status, spent.limit) == ("budget", next(iter(budget)))


class Own(cn.Game):
    value_range = (-1, 1)

    def start(self) -> Any:
        return 3

    def moves(self, state: int) -> list[int]:
        return [1]

    def play(self, state: int, move: int) -> int:
        return state - 1

    def outcome(self, state: int) -> float | None:
        return None if state else 1


@pytest.mark.parametrize(
    ("position", "given", "words"),
    [
        (Own().start(), {"on": "ray"}, "native games: leave out on"),
        (POSITIONS[0], {"on": "ray", "threads": 2}, "concurrency instead of threads"),
        (POSITIONS[0], {"on": "ray", "evaluator": lambda positions: [0]}, "give its name"),
        (POSITIONS[0], {"concurrency": 2}, "concurrency is for a cluster"),
        (POSITIONS[0], {"on": "slurm"}, "ray or ray://HOST:PORT, not on 'slurm'"),
    ],
    ids=["own game", "threads", "function", "no cluster", "slurm"],
)
def test_mistakes(position: cn.Position, given: dict[str, Any], words: str) -> None:
    with pytest.raises(cn.ConspiratorError, match=words):
        cn.solve(position, **given)


def test_other_searches_are_not_for_a_cluster() -> None:
    with pytest.raises(cn.ArgumentError, match="a cluster proves by df-pn: leave out 'proof-number'"):
        cn.solve(POSITIONS[0], "proof-number", on="ray")


# Virtual time


def provers(goal: JobGoal, hands: int) -> list[Proves]:
    return [Prover(goal) for _ in range(hands)]


def test_a_clock_that_does_not_wait() -> None:
    """More workers, less time, as long as there is enough to do; the driver may be what is slow."""
    goal = GOALS[0]
    steady = Times(lambda order, answer: answer.expansions / 100, 0.0)
    one, two, many = (
        forecast(plant(goal), [Prover(goal) for _ in range(workers)], 200, steady) for workers in (1, 2, 20)
    )
    assert one.won is two.won is many.won is True
    assert (round(one.busy, 6), one.expansions) == (1.0, round(100 * one.seconds))
    assert one.seconds / 2.2 < two.seconds < one.seconds
    assert many.seconds < two.seconds
    assert many.busy < 1
    assert many.expansions > one.expansions
    slow = forecast(plant(goal), provers(goal, 20), 200, steady._replace(driver=10.0))
    assert slow.seconds > many.seconds


def test_the_same_forecast_again() -> None:
    goal = GOALS[0]
    times = Times(lambda order, answer: 1.0, 0.01)
    one, other = (forecast(plant(goal), provers(goal, 3), 1000, times) for _ in range(2))
    assert one == other


def test_one_worker_in_virtual_time_does_what_a_real_one_does() -> None:
    goal = GOALS[0]
    driver = Driver(plant(goal), here(goal), job=300)
    driver.run()
    found = forecast(plant(goal), provers(goal, 1), 300, Times(lambda order, answer: 1.0, 0.0))
    assert (found.jobs, found.expansions) == (driver.tree.answered, driver.expansions)
    assert found.seconds == found.jobs
