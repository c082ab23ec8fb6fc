import type { AwsLife } from './aws-history.ts'
import { type History, mustHold } from './history.ts'
import { minute, type OwnObject } from './life.ts'
import { created, infrastructure, networkHistory } from './networks.ts'
import { servicesOf } from './services-of.ts'

/** Denies actions to everyone. Returns a function that allows them. */
const deny = (life: AwsLife, service: string, actions: readonly string[]): (() => void) => {
  const ends = actions.map(action =>
    life.world.cloud.aws.faults.add({ service, action, times: null, effect: { kind: 'denied' } }),
  )
  return () => {
    for (const end of ends) end()
  }
}

/** Returns the stored tables of a service as text. */
const tablesOf = (life: AwsLife, service: string): string =>
  JSON.stringify(Object(servicesOf(life.world.cloud))[service] ?? {})

/** Deletions of networks whose reads are denied for a while. */
export const deletionHistories: readonly History[] = [
  networkHistory(
    'a deletion that may not read its identity leaks no role',
    async life => {
      await created(life)
      const allow = deny(life, 'iam', ['GetRole', 'GetInstanceProfile', 'GetRolePolicy'])
      await life.drop(infrastructure(life))
      await life.sleep(10 * minute)
      allow()
      await life.untilGone(infrastructure(life))
      mustHold(!/-nodes/.test(tablesOf(life, 'iam')), 'the role is leaked')
    },
    'unobserved',
  ),
  networkHistory(
    'a deletion that may not read its file system leaks none',
    async life => {
      const own = infrastructure(life)
      const providerConfig = { ...Object(own.spec.providerConfig), elasticFileSystem: { enabled: true } }
      const withFiles: OwnObject = { ...own, spec: { ...own.spec, providerConfig } }
      await life.apply(withFiles)
      await life.drop(withFiles)
      const efs = () => tablesOf(life, 'elasticfilesystem/eu-west-1')
      await life.until('the mount targets are still there', () => efs().includes('"mountTargets":[]'))
      const allow = deny(life, 'elasticfilesystem', ['DescribeFileSystems'])
      await life.sleep(10 * minute)
      allow()
      await life.untilGone(withFiles)
      mustHold(efs().includes('"fileSystems":[]'), 'the file system is leaked')
    },
    'unobserved',
  ),
]
