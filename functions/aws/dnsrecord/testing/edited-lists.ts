import { Readable } from 'node:stream'
import { HttpResponse } from '@smithy/core/protocols'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'

/** The elements of one list in an answer of Route 53, as XML texts. */
export type EditList = (elements: readonly string[], count: number) => readonly string[]

/**
 * Returns a handler whose lists of record sets or hosted zones are edited. The edit gets the number of the list, from
 * 1. Without an edit, a list is unchanged.
 */
export const editedLists = (
  handler: AwsRequestHandler,
  edits: { readonly ResourceRecordSet?: EditList; readonly HostedZone?: EditList },
): AwsRequestHandler => {
  const counts: Record<string, number> = {}
  return {
    handle: async (request, options) => {
      const answer = await handler.handle(request, options)
      if (request.method !== 'GET') return answer
      const { statusCode, headers, body } = answer.response
      let xml = await textOf(body)
      for (const [element, edit] of Object.entries(edits)) {
        if (!xml.includes(`<${element}s>`)) continue
        counts[element] = (counts[element] ?? 0) + 1
        const found = xml.match(new RegExp(`<${element}>.*?</${element}>`, 'gs')) ?? []
        const edited = edit(found, counts[element]).join('')
        xml = xml.replace(
          new RegExp(`<${element}s>.*</${element}s>`, 's'),
          () => `<${element}s>${edited}</${element}s>`,
        )
      }
      const { 'content-length': _, ...rest } = headers
      return {
        response: new HttpResponse({ statusCode, headers: rest, body: Readable.from([Buffer.from(xml)]) }),
      }
    },
  }
}

const textOf = async (body: unknown): Promise<string> => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  const parts: Buffer[] = []
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}
