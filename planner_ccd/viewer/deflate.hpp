#pragma once

#include <string>
#include <string_view>

namespace planner_ccd::viewer {

/// The bytes as a raw deflate stream (RFC 1951): compressed by zlib when the project was built with it, else stored.
std::string deflate(std::string_view bytes);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace planner_ccd::viewer
