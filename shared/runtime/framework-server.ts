import type { RequestListener, Server } from 'node:http'
import { http } from '@google-cloud/functions-framework'
import { getTestServer } from '@google-cloud/functions-framework/testing'

/** The framework's registry needs a name; no sender sees it. */
const name = 'trellis'

/**
 * Creates the server of the functions framework. It has read the body of a request (`rawBody`) before it calls the
 * listener. Unlike the framework's command line, its test server leaves signals to the process.
 */
export const frameworkServer = (listener: RequestListener): Server => {
  http(name, listener)
  return getTestServer(name)
}
