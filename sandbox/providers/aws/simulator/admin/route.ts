import * as z from 'zod'
import { SnapshotError } from '../accounts/snapshot.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'

/** A request to the admin endpoint that cannot be done; the message is for whoever made it. */
export class BadOrder extends Error {
  override readonly name = 'BadOrder'
}

/** What a route does; `given` is the last part of its path, where it has a variable one. */
export type AdminRoute = (request: WireRequest, given: string) => WireResponse

export const json = (status: number, value: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

export const nothing: WireResponse = { status: 204, headers: {}, body: new Uint8Array() }

/** @throws BadOrder */
export const parseBody = (request: WireRequest): unknown => {
  try {
    return JSON.parse(Buffer.from(request.body).toString('utf8'))
  } catch {
    throw new BadOrder('The body is no JSON.')
  }
}

/** @throws BadOrder, ZodError */
export const readOrder = <Schema extends z.ZodType>(schema: Schema, request: WireRequest): z.output<Schema> =>
  schema.parse(parseBody(request))

/** What to tell whoever made the request; undefined for an error that is not theirs. */
export const complaintOf = (error: unknown): string | undefined => {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    const place = issue?.path.join('.')
    return place ? `${place}: ${issue?.message}` : (issue?.message ?? error.message)
  }
  return error instanceof BadOrder || error instanceof SnapshotError ? error.message : undefined
}
