import { Component, createRef, type JSX } from 'preact';
import { type Land, type LandData, landPath, landsOf } from '../../map/land.ts';
import { densestRegion } from '../../map/region.ts';
import { type Frame, type View as MapView, pixelOf, projectionOf, viewOf } from '../../map/view.ts';
import { isOn, moved, type Pixel, zoomed } from '../../map/zoom.ts';
import { withoutJumps } from '../../places/jumps.ts';
import type { Point } from '../../places/sphere.ts';
import { cityText } from '../../text/addresses.ts';
import { inAttribute, isolated } from '../../text/user-text.tsx';
import type { Entry } from '../shipments/punctuality.ts';
import { messages } from '../texts.ts';
import type { Actions, View } from '../view.ts';
import { routeText } from '../words.ts';
import { followGestures, zoomStep } from './map-gestures.ts';

/** Pixels from the edge to what a button of the map does not cover. */
const besideButtons = { x: 56, y: 52 };

/** Milliseconds between two drawings of moving locations. */
const drawInterval = 1_000;

let loading: Promise<Land[]> | undefined;

/** The land is read once, when there is something to draw on it. */
function loadLand(): Promise<Land[]> {
  loading ??= fetch('/board/land.json')
    .then((response) => response.json())
    .then((data: LandData) => landsOf(data));
  return loading;
}

type Located = Pick<Entry, 'row' | 'needsAttention'> & { location: Point };

interface Props {
  active: Entry[];
  selected: View['selected'];
  select: Actions['select'];
}

interface State {
  size?: { width: number; height: number };
  lands?: Land[];
  /** What the dispatcher has chosen to see while this shipment, or none, is open. */
  chosen?: { selected: string | undefined; view: MapView | 'all' } | undefined;
}

/** The current locations of the active shipments, on a map of the size of its element. An open shipment has its route. */
export class BoardMap extends Component<Props, State> {
  #drawnAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #element = createRef<HTMLElement>();
  #observer: ResizeObserver | undefined;
  #land: { key: string; path: string } | undefined;
  #stopGestures = (): void => {};
  /** What is drawn. */
  #drawn: { view: MapView; frame: Frame } | undefined;

  override componentDidMount(): void {
    this.#observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      this.setState({ size: { width: Math.round(width), height: Math.round(height) } });
    });
    if (this.#element.current) {
      this.#observer.observe(this.#element.current);
      this.#stopGestures = followGestures(this.#element.current, {
        zoom: this.#zoom,
        move: (by) => this.#show((view, frame) => moved(view, frame, by)),
        fit: this.#fit,
      });
    }
    // Without the land, the locations are still shown.
    loadLand().then(
      (lands) => this.setState({ lands }),
      () => {
        loading = undefined;
      },
    );
  }

  /** Hundreds of locations change all the time: they are drawn once a second. */
  override shouldComponentUpdate(next: Props, state: object): boolean {
    const wait = this.#drawnAt + drawInterval - performance.now();
    if (wait <= 0 || next.selected !== this.props.selected || state !== this.state) return true;
    this.#timer ??= setTimeout(() => this.forceUpdate(), wait);
    return false;
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    this.#stopGestures();
  }

  override render({ active, selected, select }: Props, { size }: State): JSX.Element {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const located = active.flatMap(({ row, needsAttention }): Located[] => {
      const { current_location: location } = row.tracking;
      return location ? [{ row, needsAttention, location }] : [];
    });
    const route = routeOf(selected);
    const isEmpty = located.length === 0 && route.points.length === 0;
    const isDrawn = !isEmpty && size !== undefined && size.width > 0 && size.height > 0;
    this.#drawn = isDrawn ? this.#viewFor(size, located, route.points) : undefined;
    const { chosen } = this.state;
    return (
      <section
        class={isEmpty ? 'map empty' : 'map'}
        aria-label={messages.map}
        tabIndex={isEmpty ? undefined : 0}
        ref={this.#element}
      >
        {isEmpty && <p class="none">{messages.mapEmpty}</p>}
        {this.#drawn && this.#drawing(this.#drawn, located, route, { selected, select })}
        {this.#drawn && this.#controls(this.#drawn, located, chosen !== undefined && chosen.selected === selected?.id)}
      </section>
    );
  }

  /** What the dispatcher has chosen, or else the route of the open shipment, or else the region with the most shipments. */
  #viewFor(
    size: { width: number; height: number },
    located: Located[],
    route: Point[],
  ): { view: MapView; frame: Frame } {
    const { width, height } = size;
    const isRoute = route.length > 0;
    const part = isRoute ? 6 : 12;
    const margin = { x: Math.max(width / part, besideButtons.x), y: Math.max(height / part, besideButtons.y) };
    const frame: Frame = { ...size, margin, maxUnitsPerKilometre: isRoute ? 2 : 0.7 };
    const chosen = this.state.chosen?.selected === this.props.selected?.id ? this.state.chosen?.view : undefined;
    if (typeof chosen === 'object') return { view: chosen, frame };
    const points = located.map(({ location }) => location);
    if (chosen === 'all') return { view: viewOf([...points, ...route], frame), frame };
    return { view: this.#withLand(viewOf(isRoute ? route : densestRegion(points), frame), frame), frame };
  }

  /** A view of water only is wider, until there is land to see where it is. */
  #withLand(view: MapView, frame: Frame): MapView {
    let { scale } = view;
    for (let step = 0; this.state.lands && step < 6 && this.#landPath({ ...view, scale }, frame) === ''; step++)
      scale /= 1.5;
    return { ...view, scale };
  }

  #drawing(
    { view, frame }: { view: MapView; frame: Frame },
    located: Located[],
    { line, stops }: RouteOnMap,
    { selected, select }: Pick<Props, 'selected' | 'select'>,
  ): JSX.Element {
    const project = projectionOf(view, frame);
    const radius = located.length > 100 ? 4.5 : 6;
    // The selected one is drawn last, over the others.
    const isSelected = ({ row }: Located): boolean => row.shipment.id === selected?.id;
    const ordered = located.sort((a, b) => Number(isSelected(a)) - Number(isSelected(b)));
    return (
      <svg
        class={stops.length + line.length > 0 ? 'one' : undefined}
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        role="img"
        aria-labelledby="map-title map-text"
      >
        <title id="map-title">{messages.map}</title>
        <desc id="map-text">{messages.mapText(located.length)}</desc>
        <path class="land" d={this.#landPath(view, frame)} />
        {line.length > 1 && (
          <polyline class="route" points={line.map((point) => pixelOf(project, point).join(',')).join(' ')} />
        )}
        {stops.map(({ name, ...point }) => {
          const [x, y] = pixelOf(project, point);
          const isLeft = x > frame.width * 0.6;
          return (
            <g key={name} class="stop">
              <circle cx={x} cy={y} r={5} />
              <text x={isLeft ? x - 11 : x + 11} y={y + 4} text-anchor={isLeft ? 'end' : 'start'}>
                {inAttribute(name)}
              </text>
            </g>
          );
        })}
        {ordered.map((each) => {
          const { row, needsAttention, location } = each;
          const { id, origin, destination } = row.shipment;
          const [cx, cy] = pixelOf(project, location);
          if (!isOn(frame, [cx, cy])) return undefined;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list has a link for each shipment
            <g
              key={id}
              class={`${needsAttention ? 'attention' : row.tracking.status} ${isSelected(each) ? 'current' : 'other'}`}
              onClick={() => select(id)}
            >
              <title>{`${row.tracking.tracking_number}: ${inAttribute(routeText(origin.city, destination.city))}`}</title>
              {isSelected(each) && <circle class="halo" cx={cx} cy={cy} r={15} />}
              {needsAttention ? (
                // A square, so that not the colour alone says it.
                <rect x={cx - radius} y={cy - radius} width={2 * radius} height={2 * radius} />
              ) : (
                <circle cx={cx} cy={cy} r={isSelected(each) ? 8 : radius} />
              )}
            </g>
          );
        })}
      </svg>
    );
  }

  #controls({ view, frame }: { view: MapView; frame: Frame }, located: Located[], isChosen: boolean): JSX.Element {
    const { zoomIn, zoomOut, fit, outside, all } = messages.mapControls;
    const project = projectionOf(view, frame);
    const others = located.filter(({ location }) => !isOn(frame, pixelOf(project, location))).length;
    const button = (name: string, sign: string, press: () => void) => (
      <button type="button" aria-label={name} title={name} onClick={press}>
        {sign}
      </button>
    );
    return (
      <>
        <div class="zoom">
          {button(zoomIn, '+', () => this.#zoom(zoomStep))}
          {button(zoomOut, '−', () => this.#zoom(1 / zoomStep))}
          {isChosen && button(fit, '⤢', this.#fit)}
        </div>
        {others > 0 && (
          <button type="button" class="outside" title={all} onClick={() => this.#choose('all')}>
            {outside(others)}
          </button>
        )}
      </>
    );
  }

  readonly #fit = (): void => this.setState({ chosen: undefined });

  readonly #zoom = (factor: number, at?: Pixel): boolean =>
    this.#show((view, frame) => zoomed(view, frame, factor, at ?? [frame.width / 2, frame.height / 2]));

  #choose(view: MapView | 'all'): void {
    this.setState({ chosen: { selected: this.props.selected?.id, view } });
  }

  /** Shows another view than the one that is drawn, unless it is the same. */
  #show(change: (view: MapView, frame: Frame) => MapView): boolean {
    if (!this.#drawn) return false;
    const { view, frame } = this.#drawn;
    const next = change(view, frame);
    if (next.scale === view.scale && next.lat === view.lat && next.lng === view.lng) return false;
    // Several events may come before the next drawing.
    this.#drawn = { view: next, frame };
    this.#choose(next);
    return true;
  }

  /** The land is drawn again only for another view. */
  #landPath(view: MapView, frame: Frame): string {
    const { lands } = this.state;
    const key = JSON.stringify([view, frame, lands !== undefined]);
    if (this.#land?.key !== key) this.#land = { key, path: lands ? landPath(view, frame, lands) : '' };
    return this.#land.path;
  }
}

interface RouteOnMap {
  /** Where the shipment has been. */
  line: Point[];
  /** Its origin and its destination, as far as they are known. */
  stops: (Point & { name: string })[];
  /** All of it. */
  points: Point[];
}

/** The route of the open shipment. */
function routeOf(selected: View['selected']): RouteOnMap {
  const line = withoutJumps(selected?.positions ?? []);
  const { origin, destination } = selected?.row?.shipment ?? {};
  const stops = [
    { point: selected?.places?.origin, address: origin },
    { point: selected?.places?.destination, address: destination },
  ].flatMap(({ point, address }) => (point && address ? [{ ...point, name: isolated(cityText(address)) }] : []));
  const current = selected?.row?.tracking.current_location;
  return { line, stops, points: [...stops, ...line, ...(current ? [current] : [])] };
}
