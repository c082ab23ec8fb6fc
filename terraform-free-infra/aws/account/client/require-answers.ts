import { buffer } from 'node:stream/consumers'
import type { HttpResponse } from '@smithy/core/protocols'
import type { Pluggable } from '@smithy/types'
import { isRead } from './is-read.ts'

/**
 * Fails a call with a successful response that is not from AWS, such as a proxy's login page or an empty body. The SDK
 * finds no members in such a response and returns an empty list, which would mean that no resource exists.
 */
export const requireAnswers = <Input extends object, Output extends object>(): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    stack.add(
      (next, context) => async args => {
        const result = await next(args)
        const response = result.response as HttpResponse
        if (response.statusCode >= 300) return result
        const body = await bytesOf(response.body)
        const problem = answerProblem(response.headers, body.toString('latin1'), context.commandName)
        if (problem !== undefined) throw new AnswerError(response.statusCode, problem)
        response.body = body
        return result
      },
      // Runs inside the SDK's deserializer, so it sees the body first.
      { step: 'deserialize', priority: 'low', name: 'trellisRequireAnswers', override: true },
    )
  },
})

class AnswerError extends Error {
  override readonly name = 'AnswerError'
  constructor(status: number, problem: string) {
    super(
      `the response with HTTP status ${status} is not from AWS, because ${problem}. Check proxies and endpoints on the way`,
    )
  }
}

const bytesOf = async (body: unknown): Promise<Buffer> => {
  if (body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body)
  return buffer(body as AsyncIterable<Uint8Array>)
}

const requestIds = ['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id', 'x-amz-id-2']

/** Undefined: it may be from AWS. Only S3 and EFS send responses without a body, with the request id in a header. */
const answerProblem = (
  headers: Readonly<Record<string, string>>,
  body: string,
  command: unknown,
): string | undefined => {
  const text = body.trimStart()
  if (text === '') {
    if (isHead(command)) return undefined
    if (isRead(command)) return 'its body is empty'
    return requestIds.some(name => name in headers) ? undefined : 'it has neither a body nor a request id'
  }
  if (text.startsWith('{')) return undefined
  const root = /^(?:<[?!][^>]*>\s*)*<([\w:.-]+)/.exec(text)?.[1]
  if (root?.toLowerCase() === 'html') return 'its body is HTML'
  // The client does not read the body of a change, and services compatible with S3 put texts into some.
  return root === undefined && isRead(command) ? 'its body is neither XML nor JSON' : undefined
}

const isHead = (command: unknown): boolean => typeof command === 'string' && command.startsWith('Head')
