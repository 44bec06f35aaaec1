import { type Land, landsOf } from './land.ts';

let loading: Promise<Land[]> | undefined;

/** All land: the states of the US and all other countries. It is read once, when the first map is drawn. */
export const atlas = (): Promise<Land[]> => {
  loading ??= load();
  return loading;
};

async function load(): Promise<Land[]> {
  const { default: data } = await import('../../generated/atlas.json', { with: { type: 'json' } });
  return landsOf(data);
}
