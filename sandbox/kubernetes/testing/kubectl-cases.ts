/** A kubectl command and its output. The cases run in order in one namespace. */
export interface KubectlCase {
  readonly what: string
  /** `FILE` is replaced by the path of a file with the text `file`. */
  readonly args: readonly string[]
  /** A manifest; `{group}` is replaced by the group of the kind `Thing`. */
  readonly file?: string
  /** All output of both streams, sorted by line; `FILE` and `{group}` as above. */
  readonly prints: readonly string[]
}

const configMap = (name: string, data: string): string => `
- apiVersion: v1
  kind: ConfigMap
  metadata: { name: ${name}, labels: { app: x } }
  ${data}`

const thing = (name: string, spec: string): string => `
- apiVersion: {group}/v1
  kind: Thing
  metadata: { name: ${name} }
  spec: ${spec}`

const list = (...items: readonly string[]): string => `apiVersion: v1\nkind: List\nitems:${items.join('')}\n`

const one = (kind: string, spec: string, version = '{group}/v1'): string =>
  `apiVersion: ${version}\nkind: ${kind}\nmetadata: { name: single }\nspec: ${spec}\n`

const whole = list(configMap('one', 'data: { a: b }'), thing('two', '{ size: 1, words: [x] }'))

const changed = list(configMap('one', 'data: { a: c }'), thing('two', '{ size: 2, words: [x] }'))

const validationOff = 'if you choose to ignore these errors, turn validation off with --validate=false'

const invalid = (...faults: readonly string[]): readonly string[] => [
  `error: error validating "FILE": error validating data: ${
    faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`
  }; ${validationOff}`,
]

/** The name that kubectl shows: `com.example` for `example.com`. */
const schema = '{reversed}.v1.Thing'

/** Returns the definition of the kind in the cases. */
export const kindOfCases = (group: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer' },
                  words: { type: 'array', items: { type: 'string' } },
                  free: {
                    type: 'object',
                    properties: { known: { type: 'string' } },
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  maybe: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
                  map: { type: 'object', additionalProperties: { type: 'integer' } },
                  port: { 'x-kubernetes-int-or-string': true },
                  kind: {
                    type: 'string',
                    default: 'plain',
                    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'Value is immutable' }],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
})

/** The behavior of kubectl for users of Trellis. It is the same with kube-apiserver and the sandbox. */
export const kubectlCases: readonly KubectlCase[] = [
  {
    what: 'a dry run of a List creates nothing',
    args: ['apply', '--dry-run=server', '-f', 'FILE'],
    file: whole,
    prints: ['configmap/one created (server dry run)', 'thing.{group}/two created (server dry run)'],
  },
  {
    what: 'the object of a dry run does not exist',
    args: ['get', 'things,configmaps', '-l', 'app=x'],
    prints: ['No resources found in NAMESPACE namespace.'],
  },
  {
    what: 'a List is applied',
    args: ['apply', '-f', 'FILE'],
    file: whole,
    prints: ['configmap/one created', 'thing.{group}/two created'],
  },
  {
    what: 'a List that is there is left alone',
    args: ['apply', '-f', 'FILE'],
    file: whole,
    prints: ['configmap/one unchanged', 'thing.{group}/two unchanged'],
  },
  {
    what: 'a dry run of a change changes nothing',
    args: ['apply', '--dry-run=server', '-f', 'FILE'],
    file: changed,
    prints: ['configmap/one configured (server dry run)', 'thing.{group}/two configured (server dry run)'],
  },
  {
    what: 'nothing differs after a dry run',
    args: ['diff', '-f', 'FILE'],
    file: whole,
    prints: [],
  },
  {
    what: 'a List is applied by the server',
    args: ['apply', '--server-side', '--force-conflicts', '-f', 'FILE'],
    file: changed,
    prints: ['configmap/one serverside-applied', 'thing.{group}/two serverside-applied'],
  },
  {
    what: 'a dry run of a server-side apply changes nothing',
    args: ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', 'FILE'],
    file: whole,
    prints: [
      'configmap/one serverside-applied (server dry run)',
      'thing.{group}/two serverside-applied (server dry run)',
    ],
  },
  {
    what: 'an object that the server applied exists',
    args: ['get', 'configmap/one', 'thing/two', '-o', 'jsonpath={.items[*].data.a}{.items[*].spec.size}'],
    prints: ['c2'],
  },
  {
    what: 'an unknown field of a built-in kind in a List',
    args: ['apply', '-f', 'FILE'],
    file: list(configMap('bad', 'dta: { a: b }')),
    prints: invalid('ValidationError(ConfigMap): unknown field "dta" in io.k8s.api.core.v1.ConfigMap'),
  },
  {
    what: 'wrong fields of a custom kind in a List',
    args: ['apply', '-f', 'FILE'],
    file: list(thing('bad', '{ sise: 1, words: one }')),
    prints: invalid(
      `ValidationError(Thing.spec): unknown field "sise" in ${schema}.spec`,
      `ValidationError(Thing.spec.words): invalid type for ${schema}.spec.words: got "string", expected "array"`,
      `ValidationError(Thing.spec): missing required field "size" in ${schema}.spec`,
    ),
  },
  {
    what: 'fields of a List that may be anything are taken',
    args: ['apply', '--dry-run=server', '-f', 'FILE'],
    file: list(thing('free', '{ size: 1, free: { x: [1, a] }, maybe: null, port: http, map: { a: 1 } }')),
    prints: ['thing.{group}/free created (server dry run)'],
  },
  {
    what: 'an unknown kind in a List',
    args: ['apply', '-f', 'FILE'],
    file: list(thing('bad', '{ size: 1 }').replace('Thing', 'Thnig')),
    prints: ['unable to recognize no matches for kind "Thnig" in version "{group}/v1"'],
  },
  {
    what: 'a typo in the kind',
    args: ['apply', '-f', 'FILE'],
    file: one('Thnig', '{ size: 1 }'),
    prints: [
      'ensure CRDs are installed first',
      'error: resource mapping not found for name: "single" namespace: "" from "FILE": no matches for kind "Thnig" in version "{group}/v1"',
    ],
  },
  {
    what: 'a typo in the version',
    args: ['apply', '-f', 'FILE'],
    file: one('Thing', '{ size: 1 }', '{group}/v2'),
    prints: [
      'ensure CRDs are installed first',
      'error: resource mapping not found for name: "single" namespace: "" from "FILE": no matches for kind "Thing" in version "{group}/v2"',
    ],
  },
  {
    what: 'a typo in the group',
    args: ['apply', '--dry-run=server', '-f', 'FILE'],
    file: one('Thing', '{ size: 1 }', 'nobody.example.com/v1'),
    prints: [
      'ensure CRDs are installed first',
      'error: resource mapping not found for name: "single" namespace: "" from "FILE": no matches for kind "Thing" in version "nobody.example.com/v1"',
    ],
  },
  {
    what: 'an unknown field of a single object',
    args: ['apply', '-f', 'FILE'],
    file: one('Thing', '{ size: 1, sise: 2 }'),
    prints: [
      'Error from server (BadRequest): error when creating "FILE": Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.sise"',
    ],
  },
  {
    what: 'a change of an immutable field',
    args: ['patch', 'thing', 'two', '--type=merge', '-p', '{"spec":{"kind":"other"}}'],
    prints: ['The Thing "two" is invalid: spec.kind: Invalid value: "other": Value is immutable'],
  },
  {
    what: 'pruning takes what is no longer listed',
    args: [...['apply', '--prune', '-l', 'app=x', '--prune-allowlist=core/v1/ConfigMap', '-f', 'FILE']],
    file: list(configMap('other', 'data: { a: b }')),
    prints: ['configmap/one pruned', 'configmap/other created'],
  },
  {
    what: 'a List is deleted',
    args: ['delete', '--ignore-not-found', '-f', 'FILE'],
    file: list(configMap('other', 'data: { a: b }'), thing('two', '{ size: 1 }')),
    prints: ['configmap "other" deleted', 'thing.{group} "two" deleted'],
  },
]
