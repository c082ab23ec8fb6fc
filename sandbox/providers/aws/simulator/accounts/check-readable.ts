import type { Clock } from '../../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import { createCodec } from '../codec/create-codec.ts'
import { requiredMembers } from '../codec/rest/route.ts'
import { NotBuilt } from '../serve/not-built.ts'
import { type Call, type Service, ServiceError } from '../service.ts'
import { type AccountSnapshot, createAccountStore } from './account.ts'
import { SnapshotError } from './snapshot.ts'

type ReadCall = readonly [operation: string, input: object, region?: string]

/** Calls that list and describe everything and need no input. */
const lists = (service: Service<object>): readonly ReadCall[] =>
  Object.keys(service.handlers)
    .filter(name => /^(?:Describe|List)/.test(name))
    .filter(name => {
      const operation = service.model.operations.get(name)
      return operation !== undefined && requiredMembers(operation.input).length === 0
    })
    .map(name => [name, {}])

/**
 * Reads all of a snapshot through calls, on a copy. Rows that were written by hand or by another version are refused
 * now instead of on a later call. A refusal by a service is fine; any other error means invalid rows.
 *
 * @throws SnapshotError
 */
export const checkReadable = (
  services: readonly Service<object>[],
  snapshot: AccountSnapshot,
  clock: Clock,
): void => {
  const copy = createAccountStore(snapshot.id)
  copy.restore(snapshot)
  for (const key of Object.keys(snapshot.services)) {
    const [name, region = 'us-east-1'] = key.split('/')
    const service = services.find(({ model }) => model.name === name)
    if (!service) continue
    const codec = createCodec(service.model)
    const state = copy.state(service, region)
    const call: Call<object> = {
      state,
      stateOf: owner => copy.state(owner, region),
      everywhere: () => new Map([[snapshot.id, state]]),
      request: { method: 'GET', path: '/', query: new Map(), headers: {}, body: new Uint8Array() },
      principal: { accountId: snapshot.id, arn: `arn:aws:iam::${snapshot.id}:root`, userId: snapshot.id },
      region,
      clock,
      requestId: '',
      may: () => true,
      shared: false,
      newId: length => '0'.repeat(length),
      newSession: () => ({ accessKeyId: '', secretAccessKey: '', sessionToken: '' }),
    }
    const read = ([operation, input, where = region]: ReadCall): void => {
      const schema = service.model.operations.get(operation)
      const output = service.handlers[operation]?.(input as never, { ...call, region: where })
      // List calls are synchronous. Promises of others are not awaited.
      if (schema && output && !(output instanceof Promise)) codec.encode(schema, { ...output }, '')
    }
    const attempt = (what: string, action: () => void): void => {
      try {
        action()
      } catch (error) {
        if (error instanceof ServiceError || error instanceof NotBuilt) return
        const problem = messageOf(error)
        throw new SnapshotError(`services.${key}: ${what} cannot read it: ${problem}`)
      }
    }
    for (const each of lists(service)) attempt(each[0], () => read(each))
    let rest: readonly ReadCall[] = []
    attempt('the simulator', () => {
      rest = [...(service.readsOf?.(state) ?? [])]
    })
    for (const each of rest) attempt(each[0], () => read(each))
  }
}
