import { serviceModel } from '../../codec/model.ts'
import { storedSchemas } from '../../schemas/stored-schemas.ts'
import { emptyState } from './state.ts'

export const ec2Model = serviceModel({
  name: 'ec2',
  protocol: 'ec2Query',
  version: '2016-11-15',
  xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15/',
  schemas: storedSchemas('ec2'),
})

/** The key of EC2's state. */
export const ec2Owner = { model: ec2Model, scope: 'regional', createState: emptyState } as const
