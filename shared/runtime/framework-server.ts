import type { Domain } from 'node:domain'
import type { RequestListener, Server } from 'node:http'
import { http } from '@google-cloud/functions-framework'
import { getTestServer } from '@google-cloud/functions-framework/testing'

/** The framework's registry needs a name; no sender sees it. */
const name = 'trellis'

/**
 * Creates the server of the functions framework. Unlike the framework's command line, its test server leaves signals to
 * the process.
 */
export const frameworkServer = (listener: RequestListener): Server => {
  http(name, (request, response) => {
    // An error outside of a step ends the process, as with Node's server. In this domain the framework would send its
    // text to the sender and continue.
    const { domain } = process as { readonly domain?: Pick<Domain, 'exit'> | null }
    domain?.exit()
    listener(request, response)
  })
  return getTestServer(name).prependListener('request', hideBody)
}

/**
 * Hides the body from the framework. It would read and decompress up to 1 GiB without a time limit, and quote broken
 * JSON, which may be secret, in its log and answer.
 */
const hideBody: RequestListener = ({ headers }) => {
  delete headers['content-length']
  delete headers['transfer-encoding']
}
