// The people of the demo as the tests divide them: school ids run from G1-0000001 on, so a beginning of one names a
// hundred people, and each test changes a hundred of its own. What they are at the moment is read, never assumed.
import { expect, type APIRequestContext } from '@playwright/test';

import { read } from './api';

/** Everybody whom the demo made up. */
export const everybody = 'G1-';

/** The hundred people numbered from `hundred` × 100 on, as a search. */
export const block = (hundred: number): string => `G1-${String(hundred).padStart(5, '0')}`;

/** A name as prose has it: `First Last` of `Last, First`. */
export const inProse = (name: string): string => name.split(', ').reverse().join(' ');

export interface Status {
  name: string;
  label: string;
  count: number;
}

const labels: [string, string][] = [
  ['ACTIVE', 'Active'],
  ['INACTIVE', 'Inactive'],
  ['NO_SHOW', 'No-show'],
  ['TRANSITIONED', 'Transitioned'],
];

export interface Person {
  id: string;
  name: string;
  primaryEmail: string | null;
  programStatus: string;
  activated: boolean;
}

interface Found {
  items: Person[];
  total: { value: number };
}

function find(request: APIRequestContext, params: Record<string, string>): Promise<Found> {
  return read(request, '/api/1/people', { scope: 'all', ...params });
}

/** The statuses that need no reason, the one that most of these people have first. */
export async function statuses(request: APIRequestContext, q: string): Promise<Status[]> {
  const counted = labels.map(async ([name, label]) => {
    const found = await find(request, { q, programStatus: name, limit: '1' });
    return { name, label, count: found.total.value };
  });
  return (await Promise.all(counted)).sort((a, b) => b.count - a.count);
}

/** The ids of `count` people of a search who can be changed to `to`; all of them are `from`, where it is given. */
export async function changeable(
  request: APIRequestContext,
  q: string,
  to: string,
  count: number,
  from?: string,
): Promise<string[]> {
  const { items } = await find(request, { q, limit: '200', ...(from && { programStatus: from }) });
  const fit = items.filter((person) => person.activated && person.programStatus !== to);
  expect(fit.length).toBeGreaterThanOrEqual(count);
  return fit.slice(0, count).map((person) => person.id);
}

/** Of the people on the first page of a search, those who can be written to, and those who have no address. */
export async function reachable(request: APIRequestContext, q: string): Promise<{ with: Person[]; without: Person[] }> {
  const { items } = await find(request, { q, limit: '25' });
  const willing: Person[] = [];
  // One after another: an account is not answered more than a few requests at once.
  for (const person of items) {
    const { details } = await read<{ details: { emailOptOut: boolean } }>(request, `/api/1/people/${person.id}`);
    if (!details.emailOptOut) willing.push(person);
  }
  return {
    with: willing.filter((person) => person.primaryEmail !== null),
    without: willing.filter((person) => person.primaryEmail === null),
  };
}
