import type { ImageVersion } from './cloud-profile.ts'

/**
 * Returns true if a version is supported at a time (ms since the epoch). The last started stage of its lifecycle
 * decides; else its older fields, which are also stages. A version without either is supported
 * (docs/contract/kinds.md#machine-of-a-bastion).
 */
export const isSupported = (
  { classification, expirationDate, lifecycle }: ImageVersion,
  now: number,
): boolean => {
  const stages = [
    ...(lifecycle ?? []),
    ...(classification ? [{ classification, startTime: undefined }] : []),
    ...(expirationDate && !classification ? [{ classification: supported, startTime: undefined }] : []),
    ...(expirationDate ? [{ classification: 'expired', startTime: expirationDate }] : []),
  ]
  if (stages.length === 0) return true
  const current = stages.findLast(({ startTime }) => !startTime || Date.parse(startTime) < now)
  return current?.classification === supported
}

const supported = 'supported'
