import type { Format } from '../../../../shared/decode/form-problems.ts'

/** The formats of values of OpenStack (docs/contract/provider-openstack.md#admission). */
export const formats = {
  name: {
    what: 'a name without brackets, braces and line breaks',
    pattern: /^[^{}[\]\n]+$/,
    most: 255,
  },
  id: {
    what: 'the id of a resource, which is a UUID',
    pattern: /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i,
    most: 36,
  },
} as const satisfies Readonly<Record<string, Format>>
