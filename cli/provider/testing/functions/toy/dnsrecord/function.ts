import { done } from '../../../../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../../../../shared/runtime/runtime.ts'
import type { ToyConnection } from '../toy-cloud.ts'

const nowhere: ToyConnection = () => Promise.reject(new Error('there is no real toy'))

/** DNSRecords of type `toy`. */
export const definition = defineFunction({
  name: 'toy-dnsrecord',
  kind: 'DNSRecord',
  type: 'toy',
  create: (_, { connection = nowhere }: FunctionDeps<ToyConnection>) => ({
    reconcile: async ({ object: { spec } }) => {
      if (String(await connection('get', spec.name)) !== String(spec.values))
        await connection('put', spec.name, spec.values)
      return done()
    },
    remove: async ({ object: { spec } }) => {
      await connection('put', spec.name)
      return done()
    },
  }),
})
