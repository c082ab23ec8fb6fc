import type { Server } from 'node:http'
import { cloudEvent } from '@google-cloud/functions-framework'
import { getTestServer } from '@google-cloud/functions-framework/testing'

const name = 'trellis'

/** Creates a server of the functions framework for its CloudEvent signature, which parses the event itself. */
export const cloudEventServer = (handle: (received: unknown) => Promise<void>): Server => {
  cloudEvent(name, handle)
  return getTestServer(name)
}
