import data from '../../generated/atlas.json' with { type: 'json' };
import { type Land, landsOf } from './land.ts';

let lands: Land[] | undefined;

/** All land: the states of the US and all other countries. The first call takes 40 ms. */
export const atlas = (): Land[] => {
  lands ??= landsOf(data);
  return lands;
};
