import { type Problem, shown } from '../../shared/decode/problems.ts'
import { type Cidr, contains, overlaps, parseCidr } from './cidr.ts'

/** A CIDR and the name of its field. */
export interface CidrPlace {
  readonly path: string
  readonly cidr: Cidr
}

/** A field of a config that names a range. */
export interface CidrField {
  readonly path: string
  readonly text: string | undefined
}

/** Returns the range of a field. None: the field is absent or names no range. */
export const cidrPlaces = ({ path, text }: CidrField): readonly CidrPlace[] => {
  const cidr = text === undefined ? undefined : parseCidr(text)
  return cidr === undefined ? [] : [{ path, cidr }]
}

/** Returns a problem if a field is not a range or is not in its canonical form. An absent field has none. */
export const cidrFormProblems = ({ path, text }: CidrField): readonly Problem[] => {
  if (text === undefined) return []
  const cidr = parseCidr(text)
  if (cidr === undefined)
    return [{ path, message: `expected a CIDR such as 10.250.0.0/16, found ${shown(text)}` }]
  return cidr.canonical === text
    ? []
    : [{ path, message: `expected a CIDR in its canonical form, ${cidr.canonical}, found ${text}` }]
}

/** Returns a problem of the inner range if the outer one does not contain it. */
export const outside = (outer: CidrPlace, inner: CidrPlace): readonly Problem[] =>
  contains(outer.cidr, inner.cidr)
    ? []
    : [
        {
          path: inner.path,
          message: `expected a CIDR inside ${outer.path} (${outer.cidr.text}), found ${inner.cidr.text}`,
        },
      ]

/** Returns a problem of the first range if both overlap. */
export const clash = (one: CidrPlace, other: CidrPlace): readonly Problem[] =>
  overlaps(one.cidr, other.cidr)
    ? [
        {
          path: one.path,
          message: `expected a CIDR that does not overlap with ${other.path} (${other.cidr.text}), found ${one.cidr.text}`,
        },
      ]
    : []
