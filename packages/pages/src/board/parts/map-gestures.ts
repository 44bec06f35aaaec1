import type { Pixel } from '../../map/zoom.ts';

/** What a person does to a map. */
export interface Gestures {
  /** @param at the pixel that stays where it is; the middle if absent. @returns whether the map has changed */
  zoom(factor: number, at?: Pixel): boolean;
  /** @param by pixels to the right and down */
  move(by: Pixel): void;
  /** Shows what the map shows at first. */
  fit(): void;
}

/** Pixels after which a press is no click any more. */
const leastDrag = 4;
/** The magnification of a press of a button or a key. */
export const zoomStep = 1.6;
/** Pixels of a press of an arrow key. */
const moveStep = 60;

const moves: Record<string, Pixel> = {
  ...{ ArrowLeft: [moveStep, 0], ArrowRight: [-moveStep, 0], ArrowUp: [0, moveStep], ArrowDown: [0, -moveStep] },
};

/**
 * Calls the functions for the wheel, for drags, pinches and keys on an element. Where the page scrolls, its style leaves drags
 * with one finger to the browser (`touch-action`).
 * @returns a function that ends this
 */
export function followGestures(element: HTMLElement, { zoom, move, fit }: Gestures): () => void {
  const end = new AbortController();
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => element.addEventListener(name, listener, { signal: end.signal, passive: false });
  const pixelOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Pixel => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  let pressed: { id: number; at: Pixel } | undefined;
  let isDragging = false;
  let fingers: { middle: Pixel; distance: number } | undefined;

  on('wheel', (event) => {
    // A pinch on a touchpad is a wheel with Ctrl, in smaller steps. Firefox counts the wheel of a mouse in lines.
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1);
    // At the end of the range the page scrolls.
    if (zoom(2 ** (-pixels / (event.ctrlKey ? 70 : 350)), pixelOf(event))) event.preventDefault();
  });
  on('pointerdown', (event) => {
    isDragging = false;
    if (event.isPrimary && event.button === 0 && !(event.target as Element).closest('button'))
      pressed = { id: event.pointerId, at: pixelOf(event) };
  });
  on('pointermove', (event) => {
    if (pressed?.id !== event.pointerId || fingers) return;
    const at = pixelOf(event);
    const by: Pixel = [at[0] - pressed.at[0], at[1] - pressed.at[1]];
    if (!isDragging && Math.hypot(...by) < leastDrag) return;
    if (!isDragging) element.setPointerCapture(event.pointerId);
    isDragging = true;
    pressed = { ...pressed, at };
    move(by);
  });
  for (const name of ['pointerup', 'pointercancel'] as const) on(name, () => (pressed = undefined));
  // The end of a drag is no click on the shipment below it.
  element.addEventListener('click', (event) => isDragging && event.stopPropagation(), {
    signal: end.signal,
    capture: true,
  });
  const touched = (event: TouchEvent): void => {
    const [first, second] = [...event.targetTouches].map(pixelOf);
    if (!first || !second) {
      fingers = undefined;
      return;
    }
    event.preventDefault();
    pressed = undefined;
    const middle: Pixel = [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2];
    const distance = Math.max(1, Math.hypot(first[0] - second[0], first[1] - second[1]));
    if (fingers) {
      move([middle[0] - fingers.middle[0], middle[1] - fingers.middle[1]]);
      zoom(distance / fingers.distance, middle);
    }
    fingers = { middle, distance };
  };
  for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) on(name, touched);
  on('keydown', (event) => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = moves[event.key];
    if (by) move(by);
    else if (event.key === '+' || event.key === '=') zoom(zoomStep);
    else if (event.key === '-') zoom(1 / zoomStep);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  });
  return () => end.abort();
}
