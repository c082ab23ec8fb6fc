import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { type Token, tokenizer } from 'acorn'
import { analyse } from 'scslre'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { pumpedParts } from './pumping.ts'
import { repositoryRoot, repositorySources } from './structure/repository-files.ts'

/**
 * Code that reads texts of users, AWS, the API server or the broker. Programs that only read this repository are left
 * out.
 */
const files = repositorySources().filter(
  file =>
    file.endsWith('.ts') &&
    !/[./]test(?:ing)?[./]|^(?:test|build|docs)\/|^knative\/monitoring\/|\.config\.ts$/.test(file),
)

interface Expression {
  readonly source: string
  readonly flags: string
}

const superLinear = ({ source, flags }: Expression): readonly string[] => [
  ...analyse({ source, flags }).reports.map(({ type, character }) => `${type} of ${character.pick}`),
  ...pumpedParts(source, flags).map(part => `${part} takes in what stands before it`),
]

/** Returns every literal of a file, and the number of expressions created at run time. */
const expressionsOf = (file: string): { literals: Expression[]; made: number } => {
  const code = stripTypeScriptTypes(readFileSync(`${repositoryRoot}${file}`, 'utf8'))
  const literals: Expression[] = []
  let made = 0
  for (const token of tokenizer(code, { ecmaVersion: 'latest', sourceType: 'module' })) {
    // The types of acorn omit the value of a token.
    const { type, value } = token as Token & { readonly value: unknown }
    if (type.label === 'regexp') {
      const { pattern, flags } = value as { readonly pattern: string; readonly flags: string }
      literals.push({ source: pattern, flags })
    }
    if (type.label === 'name' && value === 'RegExp') made++
  }
  return { literals, made }
}

/** Files that create expressions from parts, and the reason why these are safe. */
const makers: Readonly<Record<string, string>> = {
  'cli/doctor/checks/other-extension-checks.ts': 'of the kinds of Gardener',
  'shared/text/without-names.ts': 'of the names of objects, each a literal',
  'sandbox/providers/aws/rename.ts': 'of names that the user gave, each bound to the ends of a word',
  'sandbox/providers/aws/simulator/accounts/authorization.ts': 'of three constants',
  'sandbox/providers/aws/simulator/codec/rest/route.ts': 'of the paths in the models of the SDK',
  'sandbox/providers/aws/simulator/ec2/core/describe/find.ts': 'of constant prefixes',
  'sandbox/providers/aws/simulator/s3/access/policy-decision.ts': 'of the number of an account',
  'sandbox/providers/openstack/rename.ts': 'of names that the user gave, each bound to the ends of a word',
  'sandbox/providers/openstack/simulate.ts': 'of the operations of a recorded step',
  'sandbox/providers/openstack/simulator/compute/servers.ts':
    'of a filter, which is an expression in Nova; the client runs the sandbox',
  'sandbox/providers/openstack/simulator/dns/dns.ts': 'of a filter with wildcards',
  'sandbox/knative/component.ts': 'of the targets in a component, whose author runs the sandbox',
  'sandbox/simulation/oracle/read-row.ts': 'of expressions that are checked here',
  'sandbox/kubernetes/schema/validate.ts': 'of the patterns of a CRD, whose author runs the sandbox',
  'shared/contract/schemas/load-balancer-ingress.ts': 'of a constant; checked below',
  'shared/contract/schemas/scalars.ts': 'of a constant; checked below',
  'terraform-free-infra/aws/account/formats.ts': 'of constant prefixes; checked below',
}

describe('no expression scans a long text more than a few times', () => {
  test.each(
    files.map(file => [file, expressionsOf(file).literals] as const).filter(([, found]) => found.length > 0),
  )('%s', (_, literals) => {
    expect(
      literals.flatMap(literal =>
        superLinear(literal).map(why => `/${literal.source}/${literal.flags}: ${why}`),
      ),
    ).toEqual([])
  })

  test('expressions are created at run time only from known parts', () => {
    expect(files.filter(file => expressionsOf(file).made > 0).sort()).toEqual(Object.keys(makers).sort())
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'shared/contract/schemas/load-balancer-ingress.ts',
      () => import('../shared/contract/schemas/load-balancer-ingress.ts'),
    ],
    ['shared/contract/schemas/scalars.ts', () => import('../shared/contract/schemas/scalars.ts')],
    [
      'terraform-free-infra/aws/account/formats.ts',
      () => import('../terraform-free-infra/aws/account/formats.ts'),
    ],
  ])('expressions created by %s are safe too', async (_, load) => {
    vi.resetModules()
    const made: Expression[] = []
    const Original = RegExp
    vi.stubGlobal(
      'RegExp',
      new Proxy(Original, {
        construct: (target, [source, flags = '']: [string | RegExp, string?]) => {
          if (typeof source === 'string') made.push({ source, flags })
          return new target(source, flags)
        },
      }),
    )
    await load()
    vi.unstubAllGlobals()
    expect(made).not.toEqual([])
    expect(made.flatMap(one => superLinear(one).map(why => `/${one.source}/: ${why}`))).toEqual([])
  })
})

test.each([
  ['\\s*Encoded authorization', 'i'],
  ['quota.*exceeded', 'i'],
  ['error during apply of object .* is invalid:', 'i'],
  ['_SERVICE_(HOST|PORT(_\\w+)?)$', ''],
  ['^(a|.*(password|token).*|b)s?$', 'i'],
  ['^(\\w+\\s?)*$', ''],
  ['\\(\\s*(?:b)?\\s*\\)', ''],
])('the check detects that /%s/ is unsafe', (source, flags) => {
  expect(superLinear({ source, flags })).not.toEqual([])
})
