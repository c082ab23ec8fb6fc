import { kindNames } from '../../shared/contract/kinds.ts'
import {
  decodeHeader,
  type HttpHeaders,
  MalformedEventError,
  singleHeader,
} from '../../shared/events/events.ts'
import { cutText } from '../../shared/text/cut-text.ts'
import type { LostEvent } from '../core/core.ts'

/** The code that RabbitMQ's dispatcher writes if it got no answer, also because it was ended. */
const noAnswer = '-1'
/** Attributes that are longer are no event of this system. */
const longest = 512

/**
 * Reads an event that a broker could not deliver from the headers of its dead letter, whose body is not needed. Returns
 * undefined for any other message.
 */
export const readDeadLetter = (headers: HttpHeaders): LostEvent | undefined => {
  const attribute = (name: string): string | undefined => {
    const value = singleHeader(headers, `ce-${name}`)
    if (value === undefined || value === '') return undefined
    if (value.length > longest) throw new MalformedEventError(name, `longer than ${longest} characters`)
    return decodeHeader(value)
  }
  try {
    const kind = kindNames.find(one => one === attribute('kind'))
    const [id, name, namespace, sending] = ['id', 'name', 'namespace', 'sending'].map(attribute)
    if (kind === undefined || id === undefined || name === undefined || sending === undefined)
      return undefined
    return {
      kind,
      key: { name, ...(namespace !== undefined && { namespace }) },
      id,
      sending,
      why: whyOf(attribute('knativeerrordest'), attribute('knativeerrorcode')),
    }
  } catch (error) {
    if (error instanceof MalformedEventError) return undefined
    throw error
  }
}

const whyOf = (destination: string | undefined, code: string | undefined): string => {
  const host = destination !== undefined && URL.canParse(destination) ? new URL(destination).host : undefined
  const who = cutText(host ?? 'the function', 100)
  return code === undefined || code === noAnswer || !/^\d{3}$/.test(code)
    ? `${who} did not answer, or the broker was restarted before the answer`
    : `${who} answered ${code}`
}
