import { wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { AccountSnapshot } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { serveWorld } from '../../upgrades/announced/served-world.ts'
import { continueWorld } from '../../upgrades/continue-world.ts'

const account = (index: number) => String(100_000_000_000 + index)
const key = (index: number) => `AKIABENCH${index}`
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Serves a seed with as many reconciled shoots, each in an account of its own: copies of one, with other names. */
export const manyShoots = async (count: number) => {
  const { first, cloud } = await continueWorld(await loadSimulatedCode(), undefined, async one => {
    await one.gardenlet(async of => {
      await of.prepareSeed()
      await of.reconcile(wholeShoot)
    })
    await one.rest()
    return one.world.backUp()
  })
  const [only] = (cloud as { readonly accounts: readonly AccountSnapshot[] }).accounts
  if (only === undefined) throw new Error('the simulated cloud has no account')
  const copyOf = (text: string, index: number) =>
    text.replaceAll(/\biris\b/g, `iris${index}`).replaceAll(only.id, account(index))
  const indexes = Array.from({ length: count }, (_, index) => index)
  const revision = (object: KubernetesObject, version: number, index: number) => {
    const copy = JSON.parse(copyOf(JSON.stringify(object), index))
    const keys = { accessKeyID: base64(key(index)), secretAccessKey: base64('secret') }
    if (copy.data?.accessKeyID) Object.assign(copy.data, keys)
    const text = JSON.stringify(copy)
    return { object: copy as KubernetesObject, version, json: () => text }
  }
  const objects = new Map(
    [...first.objects].map(([resource, all]) => {
      const copies = [...all].flatMap(([name, { object, version }]) =>
        indexes.map(index => [copyOf(name, index), revision(object, version, index)] as const),
      )
      return [resource, new Map(copies)]
    }),
  )
  const accounts = indexes.map(index => JSON.parse(copyOf(JSON.stringify(only), index)))
  const served = await serveWorld({ first: { ...first, objects }, cloud: { accounts } })
  for (const index of indexes)
    served.aws.account(account(index)).register({ accessKeyId: key(index), secretAccessKey: 'secret' })
  return served
}
