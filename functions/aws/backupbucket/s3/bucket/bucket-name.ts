import { type Problem, shown } from '../../../../../shared/decode/problems.ts'

/**
 * Returns the problems of a bucket name ("General purpose bucket naming rules", S3 user guide). The name becomes part
 * of a host name.
 */
export const bucketNameProblems = (path: string, name: string): readonly Problem[] => {
  const rule = brokenRule(name)
  return rule === undefined
    ? []
    : [{ path, message: `expected the name of a bucket: ${rule}, found ${shown(name)}` }]
}

const reservedStarts = ['xn--', 'sthree-', 'amzn-s3-demo-']
const reservedEnds = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3']

const brokenRule = (name: string): string | undefined => {
  if (name.length < 3 || name.length > 63) return '3 to 63 characters'
  if (!/^[a-z0-9.-]+$/.test(name)) return 'lower-case letters, digits, - and .'
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return 'a letter or digit at both ends'
  if (name.includes('..')) return 'no consecutive dots'
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return 'no IP address'
  const start = reservedStarts.find(reserved => name.startsWith(reserved))
  if (start !== undefined) return `no ${start} at the start`
  const end = reservedEnds.find(reserved => name.endsWith(reserved))
  return end === undefined ? undefined : `no ${end} at the end`
}
