import type { CloudCall } from '../../seed/seed.ts'
import type { NameServerCall } from './name-server/name-server.ts'

/** Describes a message to the name server as a cloud call: `UPDATE A api.example.com`. */
export const messageCallOf = ({ opcode, question, updates, over, rcode }: NameServerCall): CloudCall => {
  const [record] = updates
  const { name, type } = record ?? question
  return {
    service: 'name server',
    action: opcode,
    region: undefined,
    input: { name, type, over },
    isRead: opcode === 'QUERY',
    about: ` ${type} ${name}`,
    answer: rcode ?? 'no answer',
    isNotThere: rcode === 'NXDOMAIN',
    ...(rcode !== 'NOERROR' && { error: rcode ?? 'no answer' }),
  }
}
