import { describe, expect, test } from 'vitest'
import { createLog, type LogFields, type LogLevel, withFields } from './log.ts'

const logTo = (level: LogLevel = 'debug') => {
  const lines: string[] = []
  const log = createLog({ level, name: 'test', destination: { write: line => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> }
}

describe('createLog', () => {
  test('a line has the constant message and its fields', () => {
    const { log, last } = logTo()
    log.info('event recorded', { id: '1', durationMs: 3 })
    expect(last()).toMatchObject({
      level: 'info',
      name: 'test',
      msg: 'event recorded',
      id: '1',
      durationMs: 3,
    })
    expect(last().time).toMatch(/^\d{4}-.*Z$/)
  })

  test('no key is written twice, whatever the names of the fields', () => {
    const { log, lines, last } = logTo()
    // As an author's JavaScript writes them: types refuse these names.
    const fields = { name: 'shoot', time: 'never', level: 'high', msg: 'no', id: '1' } as object as LogFields
    withFields(log, { name: 'first' } as object as LogFields).warn('step failed', fields)
    const keys = [...(lines[0] ?? '').matchAll(/"(\w+)":/g)].map(([, key]) => key)
    expect(keys).toEqual([...new Set(keys)])
    expect(last()).toMatchObject({
      level: 'warn',
      name: 'test',
      msg: 'step failed',
      field_name: 'shoot',
      field_time: 'never',
      field_level: 'high',
      field_msg: 'no',
      id: '1',
    })
  })

  test('a name of the log is refused by the types', () => {
    const { log, lines } = logTo()
    // @ts-expect-error the field `name` belongs to the log.
    log.info('a', { name: 'shoot' })
    const field = { level: 1 }
    // @ts-expect-error the same, through a variable.
    withFields(log, field).info('b', { id: '1' })
    expect(lines).toHaveLength(2)
  })

  test('nothing below the level is written', () => {
    const { log, lines } = logTo('warn')
    log.debug('a')
    log.info('b')
    log.warn('c')
    expect(lines).toHaveLength(1)
  })

  test('the fields of the context are added, and those of the call override them', () => {
    const { log, last } = logTo()
    withFields(log, { kind: 'DNSRecord', id: 'a' }).error('failed', { id: 'b' })
    expect(last()).toMatchObject({ kind: 'DNSRecord', id: 'b' })
  })

  const planted = 'PLANTED'
  const requestError = Object.assign(new Error('denied', { cause: { accessKeyId: planted } }), {
    code: 'AccessDenied',
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    $response: { headers: { authorization: planted } },
  })
  const cycle: Record<string, unknown> = { token: planted }
  cycle.self = cycle
  test.each<[string, LogFields]>([
    ['the data of a Secret', { secret: { data: { password: planted } } }],
    ['the data of an event', { event: { data: { spec: planted } } }],
    [
      'a credential, however it is spelled',
      {
        aws: {
          secretAccessKey: planted,
          sessionToken: planted,
          AWS_SECRET_ACCESS_KEY_: 1,
          accessKeyID: planted,
        },
      },
    ],
    [
      'data that only the provider understands',
      { object: { spec: { providerConfig: planted }, status: { state: { key: planted } } } },
    ],
    ['the request inside an error', { error: requestError }],
    ['a value in a list', { items: [{ password: planted }] }],
    ['a value in a cycle', cycle],
    ['bytes', { body: Buffer.from(planted) }],
    ['a map', { headers: new Map([['authorization', planted]]) }],
  ])('%s is never written', (_, fields) => {
    const { log, lines } = logTo()
    log.info('message', fields)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain(planted)
  })

  test('helpful fields remain: names of secrets, codes and causes of errors', () => {
    const { log, last } = logTo()
    log.error('step failed', {
      secretRef: { name: 'cloudprovider' },
      hasToken: true,
      state: 'Succeeded',
      error: requestError,
    })
    expect(last()).toMatchObject({
      secretRef: { name: 'cloudprovider' },
      hasToken: true,
      state: 'Succeeded',
      error: { message: 'denied', code: 'AccessDenied', codes: ['ERR_INFRA_UNAUTHORIZED'] },
    })
  })
})
