import { Component, createRef, type JSX } from 'preact';
import { type Land, type LandData, landPath, landsOf } from '../../map/land.ts';
import { type Frame, type View as MapView, pixelOf, projectionOf, viewOf } from '../../map/view.ts';
import { withoutJumps } from '../../places/jumps.ts';
import type { Point } from '../../places/sphere.ts';
import type { Entry } from '../shipments/punctuality.ts';
import { messages } from '../texts.ts';
import type { Actions, View } from '../view.ts';

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

interface Props {
  active: Entry[];
  selected: View['selected'];
  select: Actions['select'];
}

/** The current locations of the active shipments, on a map of the size of its element. */
export class BoardMap extends Component<Props, { size?: { width: number; height: number }; lands?: Land[] }> {
  #drawnAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #element = createRef<HTMLDivElement>();
  #observer: ResizeObserver | undefined;
  #land: { key: string; path: string } | undefined;

  override componentDidMount(): void {
    this.#observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      this.setState({ size: { width: Math.round(width), height: Math.round(height) } });
    });
    if (this.#element.current) this.#observer.observe(this.#element.current);
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
  }

  override render({ active, selected, select }: Props): JSX.Element {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const located = active.flatMap(({ row, punctuality, needsAttention }) => {
      const { current_location: location, status, tracking_number } = row.tracking;
      return location ? { id: row.shipment.id, status, tracking_number, punctuality, needsAttention, location } : [];
    });
    const route = withoutJumps(selected?.positions ?? []);
    const points: Point[] = [...located.map(({ location }) => location), ...route];
    const { size } = this.state;
    return (
      <div class={points.length === 0 ? 'map empty' : 'map'} ref={this.#element}>
        {points.length === 0 && <p class="none">{messages.mapEmpty}</p>}
        {size &&
          size.width > 0 &&
          size.height > 0 &&
          points.length > 0 &&
          this.#drawing(size, points, located, route, { selected, select })}
      </div>
    );
  }

  #drawing(
    { width, height }: { width: number; height: number },
    points: Point[],
    located: { id: string; status: string; tracking_number: string; needsAttention: boolean; location: Point }[],
    route: Point[],
    { selected, select }: Pick<Props, 'selected' | 'select'>,
  ): JSX.Element {
    const frame: Frame = { width, height, margin: { x: width / 12, y: height / 12 }, maxUnitsPerKilometre: 0.7 };
    const view = viewOf(points, frame);
    const project = projectionOf(view, frame);
    const line = route.map((point) => pixelOf(project, point).join(',')).join(' ');
    const radius = located.length > 100 ? 4.5 : 6;
    // The selected one is drawn last, over the others.
    const ordered = located.sort((a, b) => Number(a.id === selected?.id) - Number(b.id === selected?.id));
    return (
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="map-title map-text">
        <title id="map-title">{messages.map}</title>
        <desc id="map-text">{messages.mapText(located.length)}</desc>
        <path class="land" d={this.#landPath(view, frame)} />
        {route.length > 1 && <polyline class="route" points={line} />}
        {ordered.map(({ id, status, tracking_number, needsAttention, location }) => {
          const [cx, cy] = pixelOf(project, location);
          const isSelected = id === selected?.id;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list has a link for each shipment
            <g key={id} class={needsAttention ? 'attention' : status} onClick={() => select(id)}>
              <title>{tracking_number}</title>
              {isSelected && <circle class="halo" cx={cx} cy={cy} r={15} />}
              {needsAttention ? (
                // A square, so that not the colour alone says it.
                <rect x={cx - radius} y={cy - radius} width={2 * radius} height={2 * radius} />
              ) : (
                <circle cx={cx} cy={cy} r={isSelected ? 8 : radius} />
              )}
            </g>
          );
        })}
      </svg>
    );
  }

  /** The land is drawn again only for another view. */
  #landPath(view: MapView, frame: Frame): string {
    const { lands } = this.state;
    const key = JSON.stringify([view, frame, lands !== undefined]);
    if (this.#land?.key !== key) this.#land = { key, path: lands ? landPath(view, frame, lands) : '' };
    return this.#land.path;
  }
}
