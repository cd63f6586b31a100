import { BlockList, isIPv6 } from 'node:net';

/** Link-local addresses: those of the cloud's metadata services, and of nothing that an operator would name. */
const REFUSED = new BlockList();
REFUSED.addSubnet('169.254.0.0', 16);
REFUSED.addSubnet('fe80::', 10, 'ipv6');
REFUSED.addAddress('fd00:ec2::254', 'ipv6');

/** Whether the console connects to this address (product section 14). */
export const isAllowedAddress = (address: string): boolean => !REFUSED.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

export class AddressNotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';

  constructor(host: string, address: string) {
    super(`${host} is ${address}, a link-local address`);
    this.name = 'AddressNotAllowed';
  }
}
