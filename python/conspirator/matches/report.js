const games = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const rows = [...document.querySelectorAll("#games tr")].slice(1);
let game = null, ply = 0;

function choose(number) {
  rows.forEach((row, place) => row.classList.toggle("chosen", place === number));
  game = games[number];
  const moves = [...game.opening, ...game.moves];
  part("title").textContent = game.title;
  part("moves").replaceChildren(...moves.map((move, place) => {
    const word = document.createElement("span");
    word.textContent = move;
    word.onclick = () => show(place + 1);
    return word;
  }));
  part("viewer").hidden = false;
  show(game.opening.length);
}

function show(wanted) {
  if (!game) return;
  const last = game.opening.length + game.moves.length;
  ply = Math.max(0, Math.min(wanted, last));
  part("board").textContent = game.pictures[ply] || "";
  [...part("moves").children].forEach((word, place) => word.classList.toggle("chosen", place === ply - 1));
  const made = ply - game.opening.length - 1;
  const words = [`move ${ply} of ${last}`];
  if (made >= 0) {
    const facts = [["value", game.value], ["nodes", game.nodes], ["expansions", game.expansions]];
    for (const [name, list] of facts) if (list[made] !== null) words.push(`${name} ${list[made]}`);
    words.push(`${game.seconds[made]} s`);
  }
  part("said").textContent = words.join(", ");
}

rows.forEach((row, place) => row.addEventListener("click", () => choose(place)));
part("first").onclick = () => show(0);
part("back").onclick = () => show(ply - 1);
part("next").onclick = () => show(ply + 1);
part("last").onclick = () => show(Infinity);
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") show(ply - 1);
  if (event.key === "ArrowRight") show(ply + 1);
});
