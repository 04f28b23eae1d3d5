// The home page: filter the catalogue, name this site in the line that connects an agent.
const filter = document.querySelector("[data-filter]");
const cards = [...document.querySelectorAll("[data-words]")];
const none = document.querySelector("[data-none]");

if (filter && cards.length > 1) {
  const input = filter.querySelector("input");
  filter.hidden = false;
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const card of cards) {
      const text = card.dataset.words + " " + card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
    }
    none.hidden = cards.some((card) => !card.hidden);
  };
  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      apply();
    }
  });
  apply(); // The browser may have kept what was typed.
}

const address = document.querySelector("[data-address]");
if (address && location.protocol.startsWith("http")) {
  address.textContent = new URL(document.documentElement.dataset.root, location.href).href;
}
