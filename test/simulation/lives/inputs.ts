import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { World } from '../../../sandbox/simulation/simulation.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { secrets as secretKind } from '../../../shared/kubernetes/core-resources.ts'
import type { Input } from './cast.ts'
import { backupSecret, type Home, homes, machineType, secondKeys } from './homes.ts'

/** A user has deleted them. */
const noKeys = { accessKeyID: null, secretAccessKey: null }

const secrets = ['cloudprovider', 'dns'] as const

/** Changes an input of the objects in a home. The returned function changes it back. */
export const changeInput = (
  { first: { kubernetes } }: World<AwsSide>,
  home: Home,
  input: Input,
): (() => void) => {
  const { namespace } = home
  const write = (keys: Home['keys'] | undefined, machine: string): void => {
    const data = Object.fromEntries(
      Object.entries(keys ?? home.keys).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
    )
    if (input === 'another machine')
      void kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { cloudProfile: { spec: { bastion: { machineType: { name: machine } } } } } },
      )
    else
      for (const key of [...secrets.map(name => ({ name, namespace })), backupSecret(home)])
        void kubernetes.patch(secretKind, key, { data: keys === undefined ? noKeys : data })
  }
  const other = homes.find(one => one !== home)
  const changed = input === 'another account' && other ? other.keys : secondKeys(home)
  write(input === 'no key' ? undefined : changed, 'm5.large')
  return () => write(home.keys, machineType)
}
