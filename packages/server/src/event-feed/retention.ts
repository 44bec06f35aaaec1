/** Days for which events are retained. The contract states it. */
export const eventDays = 30;
