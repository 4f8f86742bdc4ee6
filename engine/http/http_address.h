#pragma once

#include <string>

namespace mantissa {

/// `reference`, relative to the address of the page that has it.
std::string resolved_url(const std::string& page, const std::string& reference);

/// An address without what may be secret: "https://ntfy.sh/…". Names, passwords, paths and queries
/// hold tokens. What is no address is "the address".
std::string shown_address(const std::string& url);

/// Its host, in small letters; empty for what is no address.
std::string address_host(const std::string& url);

/// Throws Error unless it is an address by http or https that names a host.
void require_http_address(const std::string& url);

/// Whether it is this machine's, by a loopback address or the name localhost.
bool is_this_machine(const std::string& url);

}  // namespace mantissa
