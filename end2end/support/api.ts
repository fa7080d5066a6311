// What the tests ask of the API beside the pages. Every answer is looked at before it is read, so that one that was refused is
// named as such, and not as something that lacks what was expected of it.
import { expect, type APIRequestContext, type APIResponse } from '@playwright/test';

async function answered(address: string, answer: APIResponse): Promise<unknown> {
  expect(answer.ok(), `${address}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.status() === 204 ? undefined : answer.json().catch(() => undefined);
}

export async function read<T>(request: APIRequestContext, address: string, params: Record<string, string> = {}): Promise<T> {
  return (await answered(address, await request.get(address, { params }))) as T;
}

export async function post<T = unknown>(request: APIRequestContext, address: string, data: object): Promise<T> {
  return (await answered(address, await request.post(address, { data }))) as T;
}

/** The same where it may be refused with this code, which is no mistake. */
export async function postUnless(request: APIRequestContext, code: string, address: string, data: object): Promise<void> {
  const answer = await request.post(address, { data });
  const refused = answer.ok() ? undefined : ((await answer.json()) as { code: string }).code;
  expect([undefined, code], `${address}: ${answer.status()} ${await answer.text()}`).toContain(refused);
}
