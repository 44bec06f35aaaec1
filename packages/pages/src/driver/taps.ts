/** Milliseconds in which a finger that was on its way still arrives. */
const reaction = 1_000;

/** What a tap changes. A text field only gets the focus. */
const targets = 'button, a[href], label.button, label.choice';

interface Place {
  element: Element;
  meaning: string;
  rect: DOMRect;
  /** How far the page was scrolled; undefined for the footer, which stays in the window. */
  scrolled: number | undefined;
}

const meaningOf = (element: Element): string =>
  [element.textContent, element.getAttribute('aria-label'), element.getAttribute('href')].join();

const survey = (): Place[] =>
  [...document.querySelectorAll(targets)].map((element) => ({
    element,
    meaning: meaningOf(element),
    rect: element.getBoundingClientRect(),
    scrolled: element.closest('footer') ? undefined : scrollY,
  }));

const contains = ({ rect, scrolled = scrollY }: Place, x: number, y: number): boolean => {
  const top = rect.top + scrolled - scrollY;
  return x >= rect.left && x <= rect.right && y >= top && y <= top + rect.height;
};

/**
 * Ignores a tap where something else could be tapped a second ago: the finger was on its way to that. So the second half of
 * a double tap does nothing, and neither does a tap while a change of another device moves the buttons.
 */
export function guardTaps(): void {
  let places = survey();
  let earlier: { until: number; places: Place[] }[] = [];
  const recent = () => earlier.filter(({ until }) => performance.now() - until < reaction);
  const measure = () => {
    places = survey();
  };
  new MutationObserver(() => {
    earlier = [...recent(), { until: performance.now(), places }];
    measure();
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['aria-label', 'href'],
  });
  for (const event of ['scroll', 'resize']) addEventListener(event, measure, { passive: true });
  addEventListener(
    'click',
    (event) => {
      const target = (event.target as Element).closest(targets);
      if (!target) return;
      const { left, top, width, height } = target.getBoundingClientRect();
      const isKeyboard = event.detail === 0; // without coordinates
      const [x, y] = isKeyboard ? [left + width / 2, top + height / 2] : [event.clientX, event.clientY];
      // The last one is on top: the footer comes after what it covers.
      const before = recent().map((then) => then.places.findLast((place) => contains(place, x, y)));
      if (before.every((place) => !place || (place.element === target && place.meaning === meaningOf(target)))) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
