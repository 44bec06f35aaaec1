import { TypeID } from 'typeid-js';

/** A new id, such as `evt_01kjpx8p02e00800000000010h`. */
export const newId = (prefix: string): string => new TypeID(prefix).toString();
