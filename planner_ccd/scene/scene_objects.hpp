#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/scene_object.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The objects of a scene in the order of insertion, with unique names. Looking one up, adding, moving, replacing and
/// removing it cost O(log n); a copy costs O(1) and is not affected by changes of the original. Objects are immutable
/// and shared by all copies.
class SceneObjects {
 public:
  SceneObjects() = default;
  SceneObjects(std::initializer_list<SceneObject> objects);

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  const SceneObject& operator[](std::size_t i) const;
  const SceneObject& front() const { return (*this)[0]; }
  const SceneObject& back() const { return (*this)[size() - 1]; }

  /// Null for an unknown name.
  const SceneObject* find(std::string_view name) const;
  std::optional<std::size_t> index_of(std::string_view name) const;
  /// Difference::key of an object.
  std::optional<std::uint64_t> key_of(std::string_view name) const;

  /// Throws InputError for an object without a name, one called "*", or a name already taken; validate() checks the
  /// rest.
  void push_back(SceneObject object);
  /// These throw InputError for an unknown name; the object keeps its position in the order.
  void move(std::string_view name, const Pose& pose);
  void replace(SceneObject object);
  void erase(std::string_view name);

  /// A difference between two sets.
  struct Difference {
    std::uint64_t key;                          ///< Kept when an object is moved or replaced, never reused in this set.
    std::shared_ptr<const SceneObject> before;  ///< Null: none was there.
    std::shared_ptr<const SceneObject> after;   ///< Null: it is gone.
  };
  /// Empty when there are more than `most`. Costs O(d log n) for d changes of a copy.
  static std::optional<std::vector<Difference>> differences(const SceneObjects& before, const SceneObjects& after,
                                                            std::size_t most);
  /// The object with a key, null for none, and the number of objects before it.
  std::shared_ptr<const SceneObject> at_key(std::uint64_t key) const;
  std::size_t rank_of_key(std::uint64_t key) const;

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = SceneObject;
    using difference_type = std::ptrdiff_t;
    using pointer = const SceneObject*;
    using reference = const SceneObject&;

    const SceneObject& operator*() const { return *shared(); }
    const SceneObject* operator->() const { return shared().get(); }
    const std::shared_ptr<const SceneObject>& shared() const;
    Iterator& operator++();
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class SceneObjects;
    std::vector<const void*> path_;  ///< Nodes of the map still to visit, next one last.

    void down(const void* node);
  };
  Iterator begin() const;
  Iterator end() const { return {}; }

 private:
  struct Maps;  ///< Persistent maps (scene/persistent_map.hpp).

  std::shared_ptr<const Maps> maps_;  ///< Shared by copies; null: empty.

  const Maps& maps() const;
  std::uint64_t require(std::string_view name) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
