/** One way to make a fetcher request an address that is no publisher's. */
export interface AddressAttack {
  readonly name: string;
  readonly url: string;
  /** The responses of name servers, look-up after look-up; the last one is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Where hosts redirect to. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** How many requests go to the address, each over a new connection. */
  readonly asks?: number;
  /** The network connects to this address, whatever was requested. */
  readonly connectsTo?: string;
}

export const publicAddress = '93.184.215.14';

const ipv4Spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '１２７.０.０.１',
  '127。0。0。1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '0xa.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const ipv6Addresses = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
];

const literals: readonly AddressAttack[] = [
  ...ipv4Spellings.map((host) => ({ name: `address ${host}`, url: `http://${host}/` })),
  ...ipv6Addresses.map((host) => ({ name: `address [${host}]`, url: `http://[${host}]/` })),
  { name: 'address behind a user name', url: 'http://publisher.test@127.0.0.1/' },
  { name: 'address with another port', url: 'http://127.0.0.1:8080/' },
];

const named: readonly AddressAttack[] = [
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['fd00::1'],
  ['fe80::1'],
  ['100.64.0.1'],
  ['2002:7f00:1::1'],
  ['192.168.1.1', '172.16.0.1'],
].map((addresses) => ({
  name: `name for ${addresses.join(' and ')}`,
  url: 'http://inside.test/',
  names: { 'inside.test': [addresses] },
}));

const toPublisher = { 'publisher.test': [[publicAddress]], 'second.test': [[publicAddress]] };

const redirected: readonly AddressAttack[] = [
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://0x7f.1/',
  'http://2852039166/latest/meta-data/',
  '//10.0.0.1/',
  'http:\\\\127.0.0.1/',
  ' http://127.0.0.1/\t',
  'http://publisher.test@127.0.0.1/',
  'http://inside.test/',
].map((location) => ({
  name: `redirect to ${JSON.stringify(location)}`,
  url: 'http://publisher.test/',
  names: { ...toPublisher, 'inside.test': [['10.0.0.1']] },
  redirects: { 'publisher.test': location },
}));

const chained: readonly AddressAttack[] = [
  {
    name: 'redirect over another publisher to loopback',
    url: 'http://publisher.test/',
    names: toPublisher,
    redirects: { 'publisher.test': 'http://second.test/', 'second.test': 'http://127.0.0.1/' },
  },
  {
    name: 'redirect over another publisher to a private name',
    url: 'http://publisher.test/',
    names: { ...toPublisher, 'inside.test': [['169.254.169.254']] },
    redirects: { 'publisher.test': 'http://second.test/', 'second.test': 'http://inside.test/' },
  },
];

const rebound: readonly AddressAttack[] = [
  {
    name: 'name that was public when the source was added and is private when it is polled',
    url: 'http://rebinding.test/',
    names: { 'rebinding.test': [[publicAddress], ['10.0.0.1']] },
    asks: 2,
  },
  {
    name: 'name that changes with every look-up',
    url: 'http://rebinding.test/',
    names: { 'rebinding.test': [[publicAddress], ['127.0.0.1'], [publicAddress], ['169.254.169.254']] },
    asks: 4,
  },
  {
    name: 'name that turns private for a redirect to another host of the same domain and back',
    url: 'http://www.rebinding.test/',
    names: {
      'www.rebinding.test': [[publicAddress]],
      'rebinding.test': [['127.0.0.1']],
    },
    redirects: { 'www.rebinding.test': 'http://rebinding.test/' },
  },
  {
    name: 'name with a private address before a public one',
    url: 'http://mixed.test/',
    names: { 'mixed.test': [['10.0.0.1', publicAddress]] },
  },
  {
    name: 'network that connects elsewhere than asked',
    url: 'http://publisher.test/',
    names: toPublisher,
    connectsTo: '10.0.0.1',
  },
];

/** Every request of these must stay without an answer, except those to the publishers that redirect. */
export const addressAttacks: readonly AddressAttack[] = [
  ...literals,
  ...named,
  ...redirected,
  ...chained,
  ...rebound,
];
