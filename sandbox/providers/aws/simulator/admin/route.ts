import * as z from 'zod'
import { SnapshotError } from '../accounts/snapshot.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'

/** An invalid request to the admin endpoint. The message is for its sender. */
export class BadOrder extends Error {
  override readonly name = 'BadOrder'
}

/** Handles a route. `given` is the last part of its path, if that is variable. */
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

/** Returns the message for the sender, or undefined if the error is not theirs. */
export const complaintOf = (error: unknown): string | undefined => {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    const place = issue?.path.join('.')
    return place ? `${place}: ${issue?.message}` : (issue?.message ?? error.message)
  }
  return error instanceof BadOrder || error instanceof SnapshotError ? error.message : undefined
}
