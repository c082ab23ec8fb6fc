import type {
  AttachVolumeRequest,
  DetachVolumeRequest,
  VolumeAttachment as VolumeAttachmentOut,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidParameter, invalidValue } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { instanceState } from '../instances/instance-state.ts'
import { checkDeviceName } from '../instances/launch/block-devices.ts'
import type { Instance, Volume, VolumeAttachment } from '../rows/compute.ts'
import { volumeAttachmentOf, volumeAttachmentView, volumeState } from './view.ts'

/** Nitro instances support 28 attachments, including interfaces ("Amazon EBS volume limits", EC2 user guide). */
const mostAttachments = 28

const volumesOf = (ec2: Ec2, { id }: Instance): readonly VolumeAttachment[] =>
  ec2.tables.volumes.by('attachment.instance-id', id).flatMap(volume => volumeAttachmentOf(ec2, volume) ?? [])

const checkInstance = (ec2: Ec2, instance: Instance): void => {
  const { name } = instanceState(ec2, instance)
  if (name === 'running' || name === 'stopped') return
  throw refuse('IncorrectState', `Instance '${instance.id}' is not 'running'.`)
}

const checkRoom = (ec2: Ec2, instance: Instance, device: string): void => {
  const others = volumesOf(ec2, instance)
  if (others.some(other => other.device === device)) {
    throw invalidValue(
      `Invalid value '${device}' for unixDevice. Attachment point ${device} is already in use`,
    )
  }
  const interfaces = ec2.tables.networkInterfaces.by('attachment.instance-id', instance.id).length
  if (others.length + interfaces >= mostAttachments) {
    throw refuse('AttachmentLimitExceeded', `Instance '${instance.id}' has no attachment left.`)
  }
}

const attach = (ec2: Ec2, volume: Volume, instance: Instance, device: string): VolumeAttachment => {
  const current = volumeAttachmentOf(ec2, volume)
  if (current) throw refuse('VolumeInUse', `${volume.id} is already attached to an instance`)
  if (volumeState(ec2, volume) !== 'available') {
    throw refuse('IncorrectState', `Volume '${volume.id}' is not 'available'.`)
  }
  checkInstance(ec2, instance)
  if (volume.zone !== instance.zone) {
    throw refuse(
      'InvalidVolume.ZoneMismatch',
      `The volume '${volume.id}' is not in the same availability zone as instance '${instance.id}'`,
    )
  }
  checkRoom(ec2, instance, device)
  return { instanceId: instance.id, device, at: ec2.now, deleteOnTermination: false }
}

/** Returns the attachment that a detach request means. */
const attachmentFor = (ec2: Ec2, volume: Volume, input: DetachVolumeRequest): VolumeAttachment => {
  const attachment = volumeAttachmentOf(ec2, volume)
  if (!attachment) {
    throw refuse('IncorrectState', `Volume '${volume.id}' is in the '${volumeState(ec2, volume)}' state.`)
  }
  const { InstanceId = attachment.instanceId, Device = attachment.device } = input
  if (InstanceId !== attachment.instanceId || Device !== attachment.device) {
    throw refuse(
      'InvalidAttachment.NotFound',
      `The volume '${volume.id}' is not attached to instance '${InstanceId}' as device '${Device}'`,
    )
  }
  return attachment
}

const checkRoot = (ec2: Ec2, volume: Volume, { instanceId, device }: VolumeAttachment): void => {
  const instance = ec2.tables.instances.get(instanceId)
  if (!instance || instance.rootDeviceName !== device) return
  if (instanceState(ec2, instance).name === 'stopped') return
  throw refuse(
    'OperationNotPermitted',
    `Unable to detach root volume '${volume.id}' from instance '${instanceId}'`,
  )
}

export const volumeAttachmentOperations = {
  AttachVolume: operation<AttachVolumeRequest, VolumeAttachmentOut>(
    { VolumeId: true, InstanceId: true, Device: true },
    (input, ec2) => {
      const volume = find(ec2, 'volumes', input.VolumeId)
      const instance = find(ec2, 'instances', input.InstanceId)
      const device = checkDeviceName(input.Device, () =>
        invalidParameter('device', input.Device, 'It is not a valid EBS device name.'),
      )
      const attached = { ...volume, attachment: attach(ec2, volume, instance, device) }
      ec2.tables.volumes.put(attached)
      return volumeAttachmentView(ec2, attached, attached.attachment)
    },
  ),
  DetachVolume: operation<DetachVolumeRequest, VolumeAttachmentOut>(
    { VolumeId: true, InstanceId: true, Device: true, Force: true },
    (input, ec2) => {
      const volume = find(ec2, 'volumes', input.VolumeId)
      const attachment = attachmentFor(ec2, volume, input)
      checkRoot(ec2, volume, attachment)
      const until = attachment.until ?? ec2.now + (input.Force ? 0 : ec2.durations.volumeDetached)
      const detaching = { ...volume, attachment: { ...attachment, until } }
      ec2.tables.volumes.put(detaching)
      return volumeAttachmentView(ec2, detaching, detaching.attachment)
    },
  ),
}
