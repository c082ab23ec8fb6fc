/** The name of the driver of EBS volumes, in classes and sockets. */
export const ebsDriver = 'ebs.csi.aws.com'
