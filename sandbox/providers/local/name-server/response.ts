import { type Answer, AUTHORITATIVE_ANSWER, encode, type Question, TRUNCATED_RESPONSE } from 'dns-packet'
import type { DnsRequest } from './request.ts'
import type { ResponseCode, StoredRecord } from './zone.ts'

export interface DnsResponse {
  readonly rcode: ResponseCode
  readonly isAuthoritative: boolean
  readonly answers: readonly StoredRecord[]
}

/** The response codes (RFC 1035, section 4.1.1; RFC 2136, section 2.2). */
const codes: Readonly<Record<ResponseCode, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  NOTAUTH: 9,
  NOTZONE: 10,
}

const opcodeNumbers: Readonly<Record<string, number>> = { UPDATE: 5 }

/** Maximum size of a datagram in bytes. */
const longestDatagram = 512

export const writeResponse = (
  { id, opcode, question }: Pick<DnsRequest, 'id' | 'opcode' | 'question'>,
  { rcode, isAuthoritative, answers }: DnsResponse,
  { over, truncate = false }: { readonly over: 'udp' | 'tcp'; readonly truncate?: boolean },
): Buffer => {
  const flags =
    ((opcodeNumbers[opcode] ?? 0) << 11) | (isAuthoritative ? AUTHORITATIVE_ANSWER : 0) | codes[rcode]
  const questions = [question as Question]
  const records = answers.map(record => ({ ...record, class: 'IN' }) as Answer)
  const whole = encode({ type: 'response', id, flags, questions, answers: records })
  if (over === 'tcp' || (whole.length <= longestDatagram && !truncate)) return whole
  return encode({ type: 'response', id, flags: flags | TRUNCATED_RESPONSE, questions })
}
