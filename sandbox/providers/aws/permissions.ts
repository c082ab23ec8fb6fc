import { readdirSync, readFileSync } from 'node:fs'

const sources = new URL('../../../terraform-free-infra/aws/', import.meta.url)

/** The folders with calls of an infrastructure. */
const folders = ['infrastructure', 'account/security-groups']

/** IAM action prefixes by the SDK's name of the service (Service Authorization Reference). */
const prefixes: Readonly<Record<string, string>> = {
  ec2: 'ec2',
  iam: 'iam',
  efs: 'elasticfilesystem',
  'elastic-load-balancing': 'elasticloadbalancing',
  'elastic-load-balancing-v2': 'elasticloadbalancing',
}

/** Actions that AWS requires in addition to the called operation. */
const implied = {
  elasticfilesystem: ['TagResource'],
  iam: ['CreateServiceLinkedRole', 'PassRole'],
}

/** Operations by prefix, as the code imports them. Throws if a service has no prefix yet. */
const operations = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>(
    Object.entries(implied).map(([prefix, actions]) => [prefix, new Set(actions)]),
  )
  const files = folders
    .flatMap(folder =>
      readdirSync(new URL(folder, sources), { recursive: true, encoding: 'utf8' }).map(
        name => `${folder}/${name}`,
      ),
    )
    .filter(name => name.endsWith('.ts') && !/\.(?:test|testing)\.ts$/.test(name))
  for (const file of files) {
    const text = readFileSync(new URL(file, sources), 'utf8')
    for (const [, names = '', client = ''] of text.matchAll(
      /^import \{([^{}]*)\} from '@aws-sdk\/client-([\w-]+)'/gm,
    )) {
      const prefix = prefixes[client]
      if (prefix === undefined) throw new Error(`${file}: no prefix is known for actions of ${client}`)
      const actions = found.get(prefix) ?? new Set()
      // Reads the original name, not the alias: `DeleteLoadBalancerCommand as DeleteClassicCommand`.
      for (const [, action = ''] of names.matchAll(/(?<! as )\b(\w+)Command\b/g)) actions.add(action)
      found.set(prefix, actions)
    }
  }
  return found
}

const isRead = (action: string): boolean => /^(?:Describe|Get|List)/.test(action)

/** The table of an infrastructure's permissions, derived from the code. */
export const permissions = (): string =>
  [
    '| service | reads | writes |',
    '|---|---|---|',
    ...[...operations()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([prefix, actions]) => {
        const names = [...actions].toSorted()
        const cell = (reads: boolean) => names.filter(name => isRead(name) === reads).join(', ')
        return `| \`${prefix}\` | ${cell(true)} | ${cell(false)} |`
      }),
  ].join('\n')
