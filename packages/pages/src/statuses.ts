import { statuses, transitions } from '@waybill/contract/lifecycle';

type Status = keyof typeof statuses;

const canBeLeft = (status: Status): boolean => transitions.some(({ from }) => from === status);
const all = Object.keys(statuses) as Status[];

/** The statuses that a shipment can leave. */
export const activeStatuses: Status[] = all.filter(canBeLeft);

const finalStatuses: string[] = all.filter((status) => !canBeLeft(status));

/** Whether a shipment stays as it is. */
export const isFinal = (status: string): boolean => finalStatuses.includes(status);
