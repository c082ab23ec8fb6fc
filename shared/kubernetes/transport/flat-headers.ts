import type { IncomingHttpHeaders } from 'node:http'

/** The headers of an answer with one value each: several of a name become one, as HTTP allows. */
export const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
