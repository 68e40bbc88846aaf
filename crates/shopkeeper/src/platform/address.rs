//! Which IP addresses a profile may be fetched from (rule N2).
//!
//! A public endpoint that fetches URLs named by strangers must not become a way
//! into the network it stands in. The table holds every block of the IANA
//! special-purpose registries (RFC 6890 and the documents that added to them),
//! multicast, the reserved ranges and all IPv6 space that is not global unicast.
//! Blocks of the registries that are reachable in principle (anycast services,
//! AS 112) are refused too: no platform publishes a profile there.
//!
//! IPv6 forms that carry an IPv4 address are refused outright, with one
//! exception: 64:ff9b::/96 is judged by the IPv4 address inside, because behind
//! NAT64 the system resolver answers with it for every IPv4-only host, and
//! RFC 6052 gives its translation a fixed meaning.
//!
//! Names, URLs and sockets are none of this file's business.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Says whether no platform can be reached at this address over the public internet.
pub(super) fn is_special_use(address: IpAddr) -> bool {
    special_use(address).is_some()
}

/// Names the special use of an address with the document that assigns it, for logs; `None` when
/// it is an ordinary public one.
pub(super) fn special_use(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_use_v4(address),
        IpAddr::V6(address) => special_use_v6(address),
    }
}

/// Says whether a host with these addresses may be connected to (rule N2).
///
/// One special-use address among public ones refuses the host. In development (`dev`) a host all
/// of whose addresses are loopback is admitted as well, and only such a host by plain http
/// (`https` false). No addresses at all: refused.
pub(super) fn admitted(addresses: &[IpAddr], dev: bool, https: bool) -> bool {
    if addresses.is_empty() {
        return false;
    }
    if dev && addresses.iter().all(IpAddr::is_loopback) {
        return true;
    }
    https && !addresses.iter().any(|address| is_special_use(*address))
}

fn special_use_v4(address: Ipv4Addr) -> Option<&'static str> {
    let bits = address.to_bits();
    V4.iter()
        .find(|block| (bits ^ block.network.to_bits()) & mask_v4(block.prefix) == 0)
        .map(|block| block.what)
}

fn special_use_v6(address: Ipv6Addr) -> Option<&'static str> {
    let bits = address.to_bits();
    if (bits ^ NAT64.to_bits()) & mask_v6(96) == 0 {
        let [.., a, b, c, d] = address.octets();
        return special_use_v4(Ipv4Addr::new(a, b, c, d));
    }
    V6.iter()
        .find(|block| (bits ^ block.network.to_bits()) & mask_v6(block.prefix) == 0)
        .map(|block| block.what)
}

fn mask_v4(prefix: u32) -> u32 {
    u32::MAX.checked_shl(32 - prefix).unwrap_or(0)
}

fn mask_v6(prefix: u32) -> u128 {
    u128::MAX.checked_shl(128 - prefix).unwrap_or(0)
}

struct Block<A> {
    network: A,
    prefix: u32,
    what: &'static str,
}

const fn v4(octets: [u8; 4], prefix: u32, what: &'static str) -> Block<Ipv4Addr> {
    let [a, b, c, d] = octets;
    Block { network: Ipv4Addr::new(a, b, c, d), prefix, what }
}

const fn v6(segments: [u16; 8], prefix: u32, what: &'static str) -> Block<Ipv6Addr> {
    let [a, b, c, d, e, f, g, h] = segments;
    Block { network: Ipv6Addr::new(a, b, c, d, e, f, g, h), prefix, what }
}

/// The well-known NAT64 prefix, RFC 6052, 96 bits long.
const NAT64: Ipv6Addr = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0);

const V4: &[Block<Ipv4Addr>] = &[
    v4([0, 0, 0, 0], 8, "this network, RFC 791"),
    v4([10, 0, 0, 0], 8, "private use, RFC 1918"),
    v4([100, 64, 0, 0], 10, "shared address space of carrier-grade NAT, RFC 6598"),
    v4([127, 0, 0, 0], 8, "loopback, RFC 1122"),
    v4([169, 254, 0, 0], 16, "link-local and cloud metadata, RFC 3927"),
    v4([172, 16, 0, 0], 12, "private use, RFC 1918"),
    v4([192, 0, 0, 0], 24, "IETF protocol assignments, RFC 6890"),
    v4([192, 0, 2, 0], 24, "documentation, RFC 5737"),
    v4([192, 31, 196, 0], 24, "AS112-v4, RFC 7535"),
    v4([192, 52, 193, 0], 24, "AMT, RFC 7450"),
    v4([192, 88, 99, 0], 24, "6to4 relay anycast, RFC 7526"),
    v4([192, 168, 0, 0], 16, "private use, RFC 1918"),
    v4([192, 175, 48, 0], 24, "direct delegation AS112, RFC 7534"),
    v4([198, 18, 0, 0], 15, "benchmarking, RFC 2544"),
    v4([198, 51, 100, 0], 24, "documentation, RFC 5737"),
    v4([203, 0, 113, 0], 24, "documentation, RFC 5737"),
    v4([224, 0, 0, 0], 4, "multicast, RFC 5771"),
    v4([240, 0, 0, 0], 4, "reserved and limited broadcast, RFC 1112 and RFC 919"),
];

// The first match names the block, so narrow blocks stand before those that hold them.
const V6: &[Block<Ipv6Addr>] = &[
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, "unspecified, RFC 4291"),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback, RFC 4291"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 96, "IPv4-compatible, RFC 4291"),
    v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "IPv4-mapped, RFC 4291"),
    v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, "IPv4-translated, RFC 2765"),
    v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, "local-use NAT64, RFC 8215"),
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64, "discard-only, RFC 6666"),
    v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64, "dummy prefix, RFC 9780"),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, "Teredo, RFC 4380"),
    v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, "benchmarking, RFC 5180"),
    v6([0x2001, 3, 0, 0, 0, 0, 0, 0], 32, "AMT, RFC 7450"),
    v6([0x2001, 4, 0x112, 0, 0, 0, 0, 0], 48, "AS112-v6, RFC 7535"),
    v6([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, "ORCHID, RFC 4843"),
    v6([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, "ORCHIDv2, RFC 7343"),
    v6([0x2001, 0x30, 0, 0, 0, 0, 0, 0], 28, "drone remote identification, RFC 9374"),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "IETF protocol assignments, RFC 2928"),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "documentation, RFC 3849"),
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "6to4, RFC 3056"),
    v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48, "direct delegation AS112, RFC 7534"),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation, RFC 9637"),
    v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, "segment routing identifiers, RFC 9602"),
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "unique-local, RFC 4193"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "link-local, RFC 4291"),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, "site-local, RFC 3879"),
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "multicast, RFC 4291"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 3, "not global unicast, RFC 4291"),
    v6([0x4000, 0, 0, 0, 0, 0, 0, 0], 2, "not global unicast, RFC 4291"),
    v6([0x8000, 0, 0, 0, 0, 0, 0, 0], 1, "not global unicast, RFC 4291"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// First and last address of a block, and the addresses just outside that are public.
    const EDGES: &[(&str, &str, &[&str])] = &[
        ("0.0.0.0", "0.255.255.255", &["1.0.0.0"]),
        ("10.0.0.0", "10.255.255.255", &["9.255.255.255", "11.0.0.0"]),
        ("100.64.0.0", "100.127.255.255", &["100.63.255.255", "100.128.0.0"]),
        ("127.0.0.0", "127.255.255.255", &["126.255.255.255", "128.0.0.0"]),
        ("169.254.0.0", "169.254.255.255", &["169.253.255.255", "169.255.0.0"]),
        ("172.16.0.0", "172.31.255.255", &["172.15.255.255", "172.32.0.0"]),
        ("192.0.0.0", "192.0.0.255", &["191.255.255.255", "192.0.1.0"]),
        ("192.0.2.0", "192.0.2.255", &["192.0.1.255", "192.0.3.0"]),
        ("192.31.196.0", "192.31.196.255", &["192.31.195.255", "192.31.197.0"]),
        ("192.52.193.0", "192.52.193.255", &["192.52.192.255", "192.52.194.0"]),
        ("192.88.99.0", "192.88.99.255", &["192.88.98.255", "192.88.100.0"]),
        ("192.168.0.0", "192.168.255.255", &["192.167.255.255", "192.169.0.0"]),
        ("192.175.48.0", "192.175.48.255", &["192.175.47.255", "192.175.49.0"]),
        ("198.18.0.0", "198.19.255.255", &["198.17.255.255", "198.20.0.0"]),
        ("198.51.100.0", "198.51.100.255", &["198.51.99.255", "198.51.101.0"]),
        ("203.0.113.0", "203.0.113.255", &["203.0.112.255", "203.0.114.0"]),
        ("224.0.0.0", "239.255.255.255", &["223.255.255.255"]),
        ("240.0.0.0", "255.255.255.255", &[]),
        ("::", "::", &[]),
        ("::1", "::1", &[]),
        ("::2", "::ffff:ffff", &[]),
        ("::ffff:0.0.0.0", "::ffff:255.255.255.255", &[]),
        ("::ffff:0:0:0", "::ffff:0:ffff:ffff", &[]),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", &[]),
        ("100::", "100::ffff:ffff:ffff:ffff", &[]),
        ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", &[]),
        ("1000::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &["2000::"]),
        ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", &["2000:ffff:ffff:ffff::"]),
        ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("2001:100::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", &["2001:200::"]),
        (
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            &["2001:db7:ffff::", "2001:db9::"],
        ),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &["2001:ffff::", "2003::"]),
        (
            "2620:4f:8000::",
            "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
            &["2620:4f:7fff:ffff::", "2620:4f:8001::"],
        ),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", &["3ffe:ffff::", "3fff:1000::"]),
        ("4000::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &["3fff:ffff::"]),
        ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("8000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
    ];

    #[test]
    fn rule_n2_every_block_is_refused_from_its_first_to_its_last_address() {
        for (first, last, outside) in EDGES {
            assert!(is_special_use(ip(first)), "{first}");
            assert!(is_special_use(ip(last)), "{last}");
            for public in *outside {
                assert_eq!(special_use(ip(public)), None, "{public}");
            }
        }
    }

    #[test]
    fn rule_n2_the_edges_name_the_block_of_the_table() {
        for (first, last, _) in EDGES {
            assert_eq!(special_use(ip(first)), special_use(ip(last)), "{first} {last}");
        }
        let named: std::collections::HashSet<_> =
            EDGES.iter().filter_map(|(first, ..)| special_use(ip(first))).collect();
        for what in V4.iter().map(|b| b.what).chain(V6.iter().map(|b| b.what)) {
            assert!(named.contains(what), "no edge tests the block: {what}");
        }
    }

    #[test]
    fn rule_n2_addresses_an_attacker_would_try() {
        for address in [
            "169.254.169.254",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "::ffff:127.0.0.1",
            "::ffff:93.184.216.34",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::5db8:d822",
            "2002:7f00:1::",
            "2002:5db8:d822::1",
            "2001:0:5db8:d822::1",
            "255.255.255.255",
        ] {
            assert!(is_special_use(ip(address)), "{address}");
        }
    }

    #[test]
    fn rule_n2_ordinary_addresses_pass() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.216.34",
            "2606:4700:4700::1111",
            "2a00:1450:4001::8a",
            "64:ff9b::808:808",
        ] {
            assert_eq!(special_use(ip(address)), None, "{address}");
        }
    }

    #[test]
    fn rule_n2_one_special_address_refuses_the_host() {
        let public = ip("93.184.216.34");
        let loopback = ip("127.0.0.1");
        assert!(admitted(&[public], false, true));
        assert!(!admitted(&[public, loopback], false, true));
        assert!(!admitted(&[loopback], false, true));
        assert!(!admitted(&[public], false, false));
        assert!(!admitted(&[], false, true));
    }

    #[test]
    fn rule_n2_development_admits_loopback_and_nothing_else_that_is_special() {
        let public = ip("93.184.216.34");
        let loopback = ip("127.0.0.1");
        assert!(admitted(&[loopback, ip("::1")], true, false));
        assert!(admitted(&[loopback], true, true));
        assert!(admitted(&[public], true, true));
        assert!(!admitted(&[public], true, false));
        for other in ["10.0.0.1", "0.0.0.0", "::ffff:127.0.0.1", "93.184.216.34"] {
            assert!(!admitted(&[loopback, ip(other)], true, true), "{other}");
        }
        assert!(!admitted(&[], true, true));
    }
}
