import { objectOf, type ProviderSeedOptions, providerSeed } from '../../testing/provider-seed.ts'
import { definition } from '../function.ts'

export const userData = btoa('#!/bin/bash\necho hi\n')

const bastion = objectOf('Bastion', 'cli-abc', {
  userData,
  ingress: [{ ipBlock: { cidr: '203.0.113.7/32' } }],
})

/** A seed with a Bastion, and the provider cluster of its shoot. */
export const newSeed = (options: Partial<ProviderSeedOptions> = {}) =>
  providerSeed({ definition, object: bastion, ...options })
